import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Event, Outcome } from '@sluice/core'
import { createSandbox, type Sandbox } from '@sluice/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { longestTurn } from '../support/processes/longest-turn.ts'
import { patience } from '../support/processes/patience.ts'
import { codeOf, forgingPrograms, hostilePrograms } from './programs.ts'

/** Small limits, so that a hundred attacks take only seconds. Innocent code takes a few milliseconds. */
const limits = {
  eventTimeMs: 100 * patience(),
  batchTimeMs: 2_000 * patience(),
  asyncTimeMs: 500,
  memoryBytes: 32 * 1024 * 1024,
}
/** Longest turn of the event loop of the host while an attack runs: by so much others wait. */
const turnMsMax = 250

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await createSandbox({ mode: 'worker', workers: 1, limits })
})
afterAll(() => sandbox.close())

const input = (event: Event) => ({ event, metadata: {} })
const good = (n: number): Event => ({ type: 'track', event: 'Good', messageId: `m${n}`, n })
const evil: Event = { type: 'track', event: 'Evil', messageId: 'evil', evil: true }
const live = new AbortController().signal

const endOf = (outcome: Outcome<Event> | undefined): string => {
  if (outcome?.kind === 'pass') return 'passes'
  return outcome?.kind === 'drop' ? 'dropped' : (outcome?.error.code ?? 'nothing')
}

const hostPaths = new RegExp(
  [resolve(import.meta.dirname, '../..'), homedir(), 'node_modules', '\\.ts:', 'dist/'].join('|'),
)

describe('hostile programs', () => {
  for (const program of hostilePrograms) {
    it(program.name, async () => {
      const { turnMs } = await longestTurn(async () => {
        const compiled = await sandbox.compile({
          name: 'hostile',
          code: codeOf(program),
          libraries: program.libraries ?? [],
        })
        const texts: string[] = []
        if (!compiled.ok) {
          expect(program.ends).toContain(compiled.error.code)
          texts.push(compiled.error.message)
        } else {
          const { outcomes, log } = await compiled.program.run([good(1), evil, good(2)].map(input), live)
          expect(program.ends).toContain(endOf(outcomes[1]))
          if (!program.code) {
            expect(outcomes[0]).toEqual({ kind: 'pass', items: [good(1)] })
            const after =
              program.sparesNext === false ? ['passes', 'dropped', 'transform.output', 'transform.threw'] : ['passes']
            expect(after).toContain(endOf(outcomes[2]))
            // The next batch starts with fresh globals.
            const next = await compiled.program.run([good(3)].map(input), live)
            expect(next.outcomes).toEqual([{ kind: 'pass', items: [good(3)] }])
          }
          texts.push(JSON.stringify(outcomes), log.join('\n'))
        }
        expect(texts.join('\n')).not.toMatch(hostPaths)
        expect(JSON.stringify(({} as { polluted?: unknown }).polluted)).toBeUndefined()
      })
      expect(turnMs).toBeLessThan(turnMsMax)
      const innocent = await sandbox.compile({
        name: 'innocent',
        code: 'export const transformEvent = (event) => ({ ...event, list: [1, 2].map((n) => n + 1), text: JSON.stringify({ a: 1 }) })',
        libraries: [],
      })
      if (!innocent.ok) throw new Error(innocent.error.message)
      const { outcomes } = await innocent.program.run([good(4)].map(input), live)
      expect(outcomes).toEqual([{ kind: 'pass', items: [{ ...good(4), list: [2, 3], text: '{"a":1}' }] }])
    })
  }

  it('are at least 60', () => expect(hostilePrograms.length).toBeGreaterThanOrEqual(60))
})

describe('programs that forge answers', () => {
  for (const isolation of ['event', 'batch', 'none'] as const) {
    it(`do not change the outcome of another event with isolation ${isolation}, alone or in a batch`, async () => {
      const own = await createSandbox({ mode: 'in-process', limits, isolation })
      for (const program of forgingPrograms) {
        const compiled = await own.compile({ name: 'forging', code: codeOf(program), libraries: [] })
        if (!compiled.ok) throw new Error(compiled.error.message)
        for (const events of [[good(1), evil, good(2)], [evil]]) {
          const { outcomes } = await compiled.program.run(events.map(input), live)
          const found = outcomes.map((outcome, i) => (events[i] === evil ? endOf(outcome) : outcome))
          const want = events.map((event) =>
            event === evil ? expect.toBeOneOf([...program.ends]) : { kind: 'pass', items: [event] },
          )
          expect(found, program.name).toEqual(want)
        }
      }
      await own.close()
    })
  }
})

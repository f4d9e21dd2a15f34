import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Event } from '@sluice/core'
import { createSandbox, type Sandbox } from '@sluice/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patience } from '../support/processes/patience.ts'
import { codeOf, hostilePrograms } from './programs.ts'

// Trusted code gets no protection from malice. What an author may do by mistake is most of what hostile programs do on
// purpose, so they have to harm as little here.

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({
    code: 'trusted',
    workers: 1,
    limits: { eventTimeMs: 100 * patience(), batchTimeMs: 2_000 * patience(), asyncTimeMs: 500 },
  })
})
afterAll(() => sandbox.close())

const live = new AbortController().signal
const input = (event: Event) => ({ event, metadata: {} })
const good = (n: number): Event => ({ type: 'track', event: 'Good', messageId: `m${n}`, n })
const evil: Event = { type: 'track', event: 'Evil', messageId: 'evil', evil: true }
const hostPaths = new RegExp([resolve(import.meta.dirname, '../..'), homedir(), 'node_modules'].join('|'))
/** Programs that look at frames of the host on purpose, which trusted code can. */
const seesHost: readonly string[] = ['stack trace hook']

describe('what hostile programs do, done by trusted code', () => {
  for (const program of hostilePrograms)
    it(`spares other events and batches: ${program.name}`, async () => {
      const { libraries = [] } = program
      const compiled = await sandbox.compile({ name: 'hostile', code: codeOf(program), libraries })
      if (!compiled.ok) expect(compiled.error.message).not.toMatch(hostPaths)
      else {
        const { outcomes, log } = await compiled.program.run([good(1), evil, good(2)].map(input), live)
        expect(outcomes).toHaveLength(3)
        if (!seesHost.includes(program.name)) expect(JSON.stringify([outcomes, log])).not.toMatch(hostPaths)
        if (!program.code) {
          expect(outcomes[0]).toEqual({ kind: 'pass', items: [good(1)] })
          if (program.sparesNext !== false) expect(outcomes[2]).toMatchObject({ kind: 'pass' })
          const next = await compiled.program.run([good(3)].map(input), live)
          expect(next.outcomes).toEqual([{ kind: 'pass', items: [good(3)] }])
        }
      }
      const code = 'export const transformEvent = (event) => ({ ...event, text: [1, 2].map((n) => n + 1).join() })'
      const innocent = await sandbox.compile({ name: 'innocent', code, libraries: [] })
      if (!innocent.ok) throw new Error(innocent.error.message)
      const { outcomes } = await innocent.program.run([good(4)].map(input), live)
      expect(outcomes).toEqual([{ kind: 'pass', items: [{ ...good(4), text: '2,3' }] }])
    })
})

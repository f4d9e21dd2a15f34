import type { Event, Outcome } from '@sluice/core'
import { createSandbox, type ProgramRun, type Sandbox, type SandboxOptions } from '@sluice/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { longestTurn } from '../support/processes/longest-turn.ts'

/** Events of a batch: enough that the attacks exceed what a batch may return. */
const count = 60
/**
 * Longest allowed turn of the event loop. Reading outputs takes 10 to 20 ms of it; the attacks blocked it for 0.2 to 5
 * s.
 */
const turnMsMax = 100
const live = new AbortController().signal
const event = (n: number): Event => ({ type: 'track', messageId: `m${n}`, n })
const inputs = Array.from({ length: count }, (_, n) => ({ event: event(n), metadata: {} }))

/** No attack here is one on time. */
const patient = { eventTimeMs: 60_000, batchTimeMs: 600_000 }

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ mode: 'worker', workers: 1, limits: patient })
})
afterAll(() => sandbox.close())

interface Attack {
  readonly name: string
  /** Code before the function, at the top level of the module. */
  readonly top?: string
  /** Code that the attacking events run; every tenth event is innocent. */
  readonly body: string
  /** Text that the errors of the attacking events must contain. */
  readonly says: RegExp
}

const isInnocent = (n: number): boolean => n % 10 === 0
const codeOf = ({ top = '', body }: Attack): string =>
  `${top}\nexport function transformEvent(event) {\n  if (event.n % 10 === 0) return event\n  ${body}\n}`

const usedUp = /take \d+ bytes, and what the batch may return, 33554432 bytes, is used up/
const attacks: readonly Attack[] = [
  { name: 'a text of 4 MB', top: "const s = 'x'.repeat(4e6)", body: 'return { n: event.n, s }', says: usedUp },
  { name: 'a boxed text of 4 MB', top: "const s = Object('x'.repeat(4e6))", body: 'return { s }', says: usedUp },
  {
    name: 'a boxed text that occurs 200 times',
    top: "const s = Object('\\u0001'.repeat(20000)); const list = Array(200).fill(s)",
    body: 'return { n: event.n, list }',
    says: /take 240\d+ bytes of JSON text, at most 4194304 are allowed/,
  },
  {
    name: 'text that takes six times its length as JSON',
    top: "const s = '\\u0001'.repeat(69e4)",
    body: 'return { n: event.n, s }',
    says: usedUp,
  },
  {
    name: 'a page of 19,900 values',
    top: 'const page = Array.from({ length: 19900 }, (_, i) => i)',
    body: 'return { n: event.n, page }',
    says: usedUp,
  },
  {
    name: 'a buffer of 14 MB',
    top: 'const b = new ArrayBuffer(14e6)',
    body: 'return { b }',
    says: /take 14\d+ bytes with their buffers, at most \d+ are allowed/,
  },
  {
    name: '30,000 different keys',
    top: "const o = {}; for (let i = 0; i < 3e4; i++) o['k' + i] = 1",
    body: 'return o',
    says: /have 30000 different keys, at most 10000 are allowed/,
  },
  {
    name: '100 keys of 30,000 characters',
    body: "const o = {}; for (let i = 0; i < 100; i++) o['k'.repeat(3e4) + event.n + '_' + i] = 1; return o",
    says: /the keys of the returned events take 3\d+ bytes, at most 262144 are allowed/,
  },
  {
    name: 'different keys in each event',
    body: "const o = {}; for (let i = 0; i < 9000; i++) o['k' + event.n + '_' + i] = 1; return o",
    says: usedUp,
  },
  {
    name: 'an error behind 145 blank lines',
    body: `event.a = 1;\n${' \n'.repeat(145)};event.x()`,
    says: /event\.x is not a function/,
  },
  {
    name: 'an error in a long return',
    body: `return (event${'\n '.repeat(900)}.x())`,
    says: /not a function/,
  },
  {
    name: 'a forged stack with many places',
    top: `// ${'é'.repeat(5000)}`,
    body: `
    const error = new TypeError('not a function')
    error.stack = '    at x (t:1:' + (event.n * 7 + 400) + ')\\n'.repeat(500)
    throw error`,
    says: /not a function/,
  },
]

async function run(code: string, where = sandbox): Promise<ProgramRun> {
  const compiled = await where.compile({ name: 't', code, libraries: [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  return compiled.program.run(inputs, live)
}

const messageOf = (outcome: Outcome<Event> | undefined): string | undefined =>
  outcome?.kind === 'fail' ? `${outcome.error.code}: ${outcome.error.message}` : undefined
const bytesOf = (outcomes: readonly Outcome<Event>[]): number =>
  outcomes.reduce((sum, outcome) => sum + (outcome.kind === 'pass' ? JSON.stringify(outcome.items).length : 0), 0)

describe('a batch whose events return as much as possible', () => {
  for (const attack of attacks) {
    it(`${attack.name}: events that return too much fail, the other events pass, the event loop is not blocked`, async () => {
      const { result, turnMs } = await longestTurn(() => run(codeOf(attack)))
      const { outcomes } = result
      const said = outcomes.flatMap((outcome, n) => {
        if (isInnocent(n)) expect(outcome).toEqual({ kind: 'pass', items: [event(n)] })
        return messageOf(outcome) ?? []
      })
      for (const message of said) expect(message).toMatch(attack.says)
      expect(said.length).toBeGreaterThan(0)
      expect(bytesOf(outcomes)).toBeLessThan(33_554_432)
      expect(turnMs).toBeLessThan(turnMsMax)
    })
  }
})

describe('transformBatch', () => {
  it('that returns more text than fits into one string fails its batch, and the run does not reject', async () => {
    const { result, turnMs } = await longestTurn(() =>
      run(`const s = Object('x'.repeat(4e6))
        export const transformBatch = (events) => events.map(({ messageId }) => ({ messageId, s }))`),
    )
    for (const outcome of result.outcomes)
      expect(messageOf(outcome)).toMatch(
        /^transform.output: the returned events take 2400\d+ bytes of JSON text, at most 33554432/,
      )
    expect(turnMs).toBeLessThan(turnMsMax)
  })
  it('that returns many events is read in small steps', async () => {
    const { result, turnMs } = await longestTurn(() =>
      run(`export const transformBatch = (events) => events.flatMap(({ messageId }) =>
        Array.from({ length: 100 }, (_, n) => ({ messageId, list: Array(40).fill(n) })))`),
    )
    for (const outcome of result.outcomes) expect(outcome.kind === 'pass' && outcome.items.length).toBe(100)
    expect(turnMs).toBeLessThan(turnMsMax)
  })
  it('whose inputs share a messageId is split in time proportional to its size', async () => {
    const compiled = await sandbox.compile({
      name: 't',
      code: 'export const transformBatch = (events) => events.flatMap((e) => Array(100).fill({ messageId: e.messageId }))',
      libraries: [],
    })
    if (!compiled.ok) throw new Error(compiled.error.message)
    const same = inputs.map(() => ({ event: { messageId: 'same' }, metadata: {} }))
    const { outcomes } = await compiled.program.run(same, live)
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(same.map(() => 'pass'))
  })
})

describe('logs', () => {
  it('of 45,000 lines per event are truncated, and the run does not reject', async () => {
    const { outcomes, log } = await run(
      "export function transformEvent(event) { if (event.n < 5) for (let i = 0; i < 45000; i++) log(''); return event }",
    )
    expect(outcomes).toHaveLength(count)
    expect(outcomes[0]).toEqual({ kind: 'pass', items: [event(0)] })
    expect(log.length).toBeGreaterThan(1_000)
    // 16 bytes for each line.
    expect(log.length).toBeLessThanOrEqual(512 * 64)
    expect(log.at(-1)).toMatch(/log limit reached|^$/)
  })
  it('of a large event are kept as long as there is room, and are truncated before the event fails', async () => {
    const { outcomes, log } = await run(
      "export function transformEvent(event) { log('\\u0001'.repeat(60000)); return event }",
    )
    expect(outcomes.flatMap((outcome) => messageOf(outcome) ?? [])).toEqual([])
    expect(log.reduce((sum, line) => sum + line.length, 0)).toBeLessThan(512 * 1024)
  })
})

describe('calls to the host', () => {
  const fetching = async (code: string, options: SandboxOptions = {}) => {
    let held = 0
    let heldMax = 0
    const own = await createSandbox({
      mode: 'worker',
      workers: 1,
      limits: patient,
      ...options,
      fetch: async (url, request) => {
        const length = JSON.stringify(request ?? null).length
        held += length
        heldMax = Math.max(heldMax, held)
        await new Promise((resolve) => setTimeout(resolve, 20))
        held -= length
        return { url, status: 200, headers: {}, text: '{}' }
      },
    })
    try {
      const { result, turnMs } = await longestTurn(() => run(code, own))
      return { ...result, heldMax, turnMs }
    } finally {
      await own.close()
    }
  }
  it('wait in their thread until the host has room for their arguments', async () => {
    const { outcomes, heldMax, turnMs } = await fetching(`const body = 'x'.repeat(1e6)
      export async function transformEvent(event) {
        if (event.n > 11) return event
        return { status: (await fetchV2('http://x.test/', { method: 'POST', body })).status }
      }`)
    expect(outcomes.slice(0, 12)).toEqual(Array(12).fill({ kind: 'pass', items: [{ status: 200 }] }))
    // Room for the arguments of some calls of a batch, not of twelve.
    expect(heldMax).toBeLessThan(4.2e6)
    expect(turnMs).toBeLessThan(turnMsMax)
  })
  it('throw when a batch has too many under way, with a message that says how to avoid this', async () => {
    const { outcomes } = await fetching(`const body = 'x'.repeat(1e6)
      export async function transformEvent(event) {
        if (event.n > 0) return event
        const calls = Array.from({ length: 20 }, () => fetchV2('http://x.test/', { method: 'POST', body }))
        const ends = await Promise.allSettled(calls)
        return { passed: ends.filter((end) => end.status === 'fulfilled').length, last: ends[19].reason.message }
      }`)
    expect(outcomes[0]).toEqual({
      kind: 'pass',
      items: [
        {
          passed: 16,
          last: expect.stringMatching(
            /under way take \d+ bytes with this one, at most 16777216 are allowed; await earlier/,
          ),
        },
      ],
    })
    expect(outcomes[1]).toEqual({ kind: 'pass', items: [event(1)] })
  })
})

describe('memory bombs', () => {
  const bombs = [
    {
      name: 'after an await',
      body: "await fetch('http://x.test/'); if (event.n % 20 === 10) for (;;) kept.push({ a: 1, b: [1, 2] }); return event",
    },
    {
      name: 'after an await, caught',
      body: "await fetch('http://x.test/'); if (event.n % 20 === 10) try { for (;;) kept.push({ a: 1, b: [1, 2] }) } catch {}; return event",
    },
    {
      name: 'in a promise',
      body: 'await null; if (event.n % 20 === 10) for (;;) kept.push({ a: 1, b: [1, 2] }); return event',
    },
    {
      name: 'that leaves no room to write outputs',
      body: "if (event.n % 20 === 10) { try { for (;;) kept.push('x'.repeat(1e5) + kept.length) } catch {} try { for (;;) kept.push({}) } catch {} } return event",
    },
  ]
  for (const { name, body } of bombs) {
    it(`${name} fails no event but the attacking ones`, async () => {
      const own = await createSandbox({
        mode: 'worker',
        workers: 1,
        limits: { ...patient, memoryBytes: 24 * 1024 * 1024 },
        fetch: async (url) => ({ url, status: 200, headers: {}, text: '{}' }),
      })
      const { outcomes } = await run(`const kept = []\nexport async function transformEvent(event) { ${body} }`, own)
      await own.close()
      outcomes.forEach((outcome, n) => {
        if (n % 20 !== 10) expect(outcome).toEqual({ kind: 'pass', items: [event(n)] })
        else expect(messageOf(outcome) ?? 'transform.memory').toMatch(/^transform\.memory/)
      })
    })
  }
})

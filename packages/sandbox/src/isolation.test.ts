import { createSeededRandom, type Event, type Outcome, pass } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { createSandbox, type SandboxOptions } from './sandbox.ts'

const live = new AbortController().signal

async function outcomesOf(options: SandboxOptions, code: string, batches: readonly number[], event: Event = {}) {
  // Steps count, not the clock: on a busy machine time ends code that is innocent.
  const sandbox = await createSandbox({ mode: 'in-process', timing: 'counted', ...options })
  const compiled = await sandbox.compile({ name: 't', code, libraries: [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  const outcomes: Outcome<Event>[] = []
  for (const count of batches) {
    const inputs = Array.from({ length: count }, (_, n) => ({ event: { n, ...event }, metadata: {} }))
    outcomes.push(...(await compiled.program.run(inputs, live)).outcomes)
  }
  await sandbox.close()
  return outcomes
}

const counting = `let calls = 0
  const pattern = /a/g
  const bytes = new Uint8Array(65536)
  const held = new WeakMap()
  export function transformEvent(event) {
    const seen = {
      calls, index: pattern.lastIndex, byte: bytes[40000], global: typeof globalThis.kept, polluted: typeof {}.polluted,
      json: JSON.stringify === original, symbol: held.has(pattern),
    }
    calls += 1
    pattern.test('aaaaaaaa')
    bytes[40000] = 1
    globalThis.kept = 1
    Object.prototype.polluted = 1
    JSON.stringify = () => ''
    Array.prototype.push = null
    held.set(pattern, 1)
    return seen
  }
  const original = JSON.stringify`
const fresh = { calls: 0, index: 0, byte: 0, global: 'undefined', polluted: 'undefined', json: true, symbol: false }

describe("isolation 'event'", () => {
  it('preserves no state: globals, prototypes, built-ins, module state, lastIndex, zero pages', async () => {
    expect(await outcomesOf({ isolation: 'event' }, counting, [3, 2])).toEqual([1, 2, 3, 4, 5].map(() => pass(fresh)))
  })
  it('warns once of code whose state takes long to restore', async () => {
    const warnings: string[] = []
    const sandbox = await createSandbox({ isolation: 'event', workers: 1, onWarning: (text) => warnings.push(text) })
    const small = 'export const transformEvent = (event) => event'
    await sandbox.compile({ name: 'small', code: small, libraries: [] })
    await sandbox.compile({ name: 'big', code: `const kept = 'x'.repeat(580_000)\n${small}`, libraries: [] })
    await sandbox.close()
    expect(warnings).toEqual([expect.stringMatching(/^big: its modules keep 6\d\d KB/)])
  })
  it('applies to async events, failures and time-outs too', async () => {
    const code = `let calls = 0
      export async function transformEvent(event) {
        calls += 1
        await 0
        if (event.n === 1) throw new Error('x')
        if (event.n === 2) for (;;);
        return { calls }
      }`
    const outcomes = await outcomesOf({ isolation: 'event', limits: { eventTimeMs: 50 } }, code, [5])
    expect(outcomes.map((outcome) => (outcome.kind === 'pass' ? outcome.items[0] : outcome.kind))).toEqual([
      { calls: 1 },
      'fail',
      'fail',
      { calls: 1 },
      { calls: 1 },
    ])
  })
})

describe("isolation 'batch'", () => {
  it('shares state within a batch and never between two', async () => {
    const outcomes = await outcomesOf({}, counting, [2, 2])
    expect([outcomes[0], outcomes[2]]).toEqual([pass(fresh), pass(fresh)])
    expect(outcomes[1]).toMatchObject(pass({ calls: 1, byte: 1 }))
  })
})

describe("isolation 'none'", () => {
  it('shares state between batches', async () => {
    const code = 'let calls = 0; export const transformEvent = () => ({ calls: (calls += 1) })'
    const outcomes = await outcomesOf({ isolation: 'none' }, code, [2, 1])
    expect(outcomes).toEqual([pass({ calls: 1 }), pass({ calls: 2 }), pass({ calls: 3 })])
  })
  it('runs no event twice, even when events share what they return', async () => {
    const code =
      'const shared = { calls: 0 }; export const transformEvent = () => { shared.calls += 1; return { shared } }'
    const outcomes = await outcomesOf({ isolation: 'none' }, code, [2, 1])
    expect(outcomes).toEqual([1, 2, 3].map((calls) => pass({ shared: { calls } })))
  })
})

describe('time and randomness', () => {
  const code =
    'export const transformEvent = () => ({ drawn: Math.random(), uuid: [Math.random(), Math.random()].join() })'
  for (const isolation of ['event', 'batch', 'none'] as const) {
    it(`do not repeat after memory was restored: ${isolation}`, async () => {
      const outcomes = await outcomesOf({ isolation, random: createSeededRandom(3) }, code, [50, 50])
      const drawn = outcomes.map((outcome) => JSON.stringify(outcome))
      expect(new Set(drawn).size).toBe(100)
    })
  }
  it('do not repeat when the module used some while it was loaded', async () => {
    const drawing = `const once = Math.random()\n${code}`
    const outcomes = await outcomesOf({ isolation: 'event', random: createSeededRandom(3) }, drawing, [20])
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(20)
  })
})

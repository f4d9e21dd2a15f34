import type { Event, Outcome } from '@sluice/core'
import { afterAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../sandbox.ts'

const live = new AbortController().signal
// Long enough for innocent code whose thread has to wait for a processor.
const sandbox = await createSandbox({
  code: 'trusted',
  workers: 1,
  limits: { eventTimeMs: 1_000, batchTimeMs: 10_000, asyncTimeMs: 2_000 },
})
/** For code that ends for other reasons than time, on a busy machine too. */
const patient = await createSandbox({
  code: 'trusted',
  workers: 1,
  limits: { eventTimeMs: 60_000, batchTimeMs: 120_000, asyncTimeMs: 120_000 },
})
afterAll(() => Promise.all([sandbox.close(), patient.close()]))

async function outcomes(code: string, where: Sandbox, count = 3): Promise<readonly Outcome<Event>[]> {
  const compiled = await where.compile({ name: 't', code, libraries: [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  const inputs = Array.from({ length: count }, (_, n) => ({ event: { n }, metadata: {} }))
  return (await compiled.program.run(inputs, live)).outcomes
}
const endOf = (outcome: Outcome<Event> | undefined): string =>
  outcome?.kind === 'fail' ? outcome.error.code : (outcome?.kind ?? 'nothing')
/** Events 0 and 2 are harmless neighbours of event 1, for which `body` runs. */
const around = (body: string, where = sandbox) =>
  outcomes(`export function transformEvent(event) { if (event.n === 1) { ${body} } return event }`, where)

describe('trusted code that takes too much fails its event, and its neighbours pass', () => {
  const cases = [
    ['transform.timeout', 'an endless loop', 'for (;;);'],
    ['transform.timeout', 'a loop in finally', 'try { for (;;); } finally { for (;;); }'],
    ['transform.timeout', 'a backtracking pattern', "/^(a+)+$/.test('a'.repeat(40) + 'b')"],
    ['transform.timeout', 'an endless promise chain', 'return (async () => { for (;;) await 0 })()'],
    ['transform.timeout', 'a promise that never settles', 'return new Promise(() => {})'],
    ['transform.timeout', 'a getter that loops while the result is read', 'return { get a() { for (;;); } }'],
    ['transform.memory', 'a growing list', 'const all = []; for (;;) all.push({ a: all.length })'],
    ['transform.memory', 'a list that doubles', 'let all = [1]; for (;;) all = [...all, ...all]'],
    ['transform.memory', 'growing text', "const all = []; for (;;) all.push('x'.repeat(1e6) + all.length)"],
    ['transform.memory', 'buffers', 'const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))'],
    ['transform.threw', 'a list too long to be stopped', 'Array.prototype.fill.call({ length: 2 ** 40 }, 1)'],
    ['transform.stack', 'deep recursion', 'const f = () => f() + 1; f()'],
    [
      'transform.output',
      'a result of parts that share parts',
      'let a = {}; for (let i = 0; i < 40; i++) a = { l: a, r: a }; return a',
    ],
    ['transform.output', 'a deep result', 'let o = {}; for (let i = 0; i < 1e4; i++) o = { o }; return o'],
    ['transform.output', 'a result beyond the limit', "return { a: 'x'.repeat(4.5e6) }"],
  ] as const
  for (const [code, what, body] of cases)
    it(`${what}: ${code}`, async () => {
      const where = code === 'transform.timeout' ? sandbox : patient
      expect((await around(body, where)).map(endOf)).toEqual(['pass', code, 'pass'])
    })

  it('says how long it ran', async () => {
    const [, outcome] = await around('for (;;);')
    expect(outcome).toMatchObject({
      error: { message: 'Error: Script execution timed out. The code ran longer than 1000 ms.' },
    })
  })
  it('also while it is loaded', async () => {
    const code = 'for (;;);\nexport const transformEvent = (event) => event'
    const compiled = await sandbox.compile({ name: 't', code, libraries: [] })
    expect(compiled).toMatchObject({ ok: false, error: { code: 'transform.load' } })
    expect((await around('')).map(endOf)).toEqual(['pass', 'pass', 'pass'])
  })
})

it('trusted and untrusted programs run in threads of their own', async () => {
  const untrusted = await createSandbox({ workers: 1 })
  const compiled = await untrusted.compile({ name: 't', code: 'export const transformEvent = (e) => e', libraries: [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  // The loop ends its thread. A batch in a shared one would have to run again.
  const [looped, passed] = await Promise.all([
    around('for (;;);'),
    compiled.program.run([{ event: { n: 1 }, metadata: {} }], live),
  ])
  expect(looped.map(endOf)).toEqual(['pass', 'transform.timeout', 'pass'])
  expect(passed.outcomes.map(endOf)).toEqual(['pass'])
  await untrusted.close()
})

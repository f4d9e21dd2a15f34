import { type Event, pass } from '@sluice/core'
import { afterAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from './sandbox.ts'

// Steps count, not the clock: on a busy machine time ends code that is innocent.
const sandbox = await createSandbox({
  mode: 'in-process',
  timing: 'counted',
  limits: { eventTimeMs: 60, batchTimeMs: 2_000, memoryBytes: 32 * 1024 * 1024 },
})
const live = new AbortController().signal
afterAll(() => sandbox.close())

async function outcomes(code: string, count = 3, where: Sandbox = sandbox) {
  const compiled = await where.compile({ name: 't', code, libraries: [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  const inputs = Array.from({ length: count }, (_, i) => ({ event: { messageId: `m${i}`, n: i }, metadata: {} }))
  return (await compiled.program.run(inputs, live)).outcomes
}
const event = (n: number): Event => ({ messageId: `m${n}`, n })
/** Events 0 and 2 are harmless neighbours of event 1, for which `body` runs. */
const around = (body: string, before = '') =>
  outcomes(`${before}\nexport function transformEvent(event) { if (event.n === 1) { ${body} } return event }`)

describe('hostile code fails its event with the right error code, and its neighbours pass', () => {
  const cases = [
    ['timeout', 'an endless loop', 'for (;;);'],
    ['timeout', 'a loop in finally', 'try { for (;;); } finally { for (;;); }'],
    ['timeout', 'a backtracking pattern', "/(a+)+b/.test('a'.repeat(40))"],
    ['timeout', 'an endless promise chain', 'return (async () => { for (;;) await 0 })()'],
    [
      'timeout',
      'an async loop that catches its interruption',
      'const f = async () => { for (;;); }; return (async () => { for (;;) try { await f() } catch {} })()',
    ],
    ['timeout', 'endless background work', '(async () => { for (;;) await 0 })()'],
    ['timeout', 'a promise that never settles', 'return new Promise(() => {})'],
    ['timeout', 'a getter that loops while the result is read', 'return { get a() { for (;;); } }'],
    [
      'output',
      'a result that shares itself over and over',
      'let a = {}; for (let i = 0; i < 40; i++) a = { l: a, r: a }; return a',
    ],
    ['memory', 'growing text', "const a = []; for (;;) a.push('x'.repeat(1e6) + a.length)"],
    ['memory', 'a huge array', 'new Array(1e9).fill(1)'],
    ['stack', 'deep recursion', 'const f = () => f() + 1; f()'],
    ['stack', 'recursion through built-ins', 'const f = () => [1].map(f); f()'],
    ['stack', 'deep text for the parser', "eval('('.repeat(1e5))"],
    ['stack', 'deep JSON', "JSON.parse('['.repeat(2e5))"],
    ['output', 'a deep result', 'let o = {}; for (let i = 0; i < 1e4; i++) o = { o }; return o'],
    ['output', 'a result beyond the limit', "return { a: 'x'.repeat(4.5e6) }"],
    ['output', 'a result beyond the limit in bytes only', "return { a: '\\u00e9'.repeat(2.5e6) }"],
  ] as const
  for (const [code, what, body] of cases) {
    it(`${what}: transform.${code}`, async () => {
      const want = { kind: 'fail', error: { code: `transform.${code}` } }
      expect(await around(body)).toMatchObject([pass(event(0)), want, pass(event(2))])
    })
  }
  it('a memory bomb that keeps its memory, even when it catches the failure', async () => {
    const roomy = await createSandbox({
      mode: 'in-process',
      limits: { memoryBytes: 24 * 1024 * 1024, eventTimeMs: 5_000, batchTimeMs: 20_000 },
    })
    for (const body of [
      'for (;;) kept.push({ a: 1 })',
      'try { for (;;) kept.push({ a: 1 }) } catch {}; kept.x.y',
      'for (;;) kept.push(() => kept)',
    ]) {
      const code = `const kept = []\nexport function transformEvent(event) { if (event.n === 1) { ${body} } return event }`
      const [first, second, third] = await outcomes(code, 3, roomy)
      expect([first, third]).toEqual([pass(event(0)), pass(event(2))])
      expect(second?.kind).toBe('fail')
    }
    await roomy.close()
  })
  it('a promise that never settles is reported as such', async () => {
    const [, outcome] = await around('return new Promise(() => {})')
    expect(outcome).toMatchObject({ error: { message: expect.stringContaining('never resolves') } })
  })
  it('recursion that overflows the host stack is contained', async () => {
    const loose = await createSandbox({ mode: 'in-process', limits: { stackBytes: 4 * 1024 * 1024 } })
    const code = 'export function transformEvent(e) { const f = () => [1].map(f); if (e.n === 1) f(); return e }'
    const failed = {
      kind: 'fail',
      error: { code: 'transform.stack', message: expect.not.stringContaining('node_modules') },
    }
    expect(await outcomes(code, 3, loose)).toMatchObject([pass(event(0)), failed, pass(event(2))])
    await loose.close()
  })
})

describe('budgets', () => {
  it('events of a batch that has no time left fail', async () => {
    const limits = { eventTimeMs: 50, batchTimeMs: 100 }
    const hasty = await createSandbox({ mode: 'in-process', timing: 'counted', limits })
    const results = await outcomes('export function transformEvent() { for (;;); }', 10, hasty)
    expect(results).toHaveLength(10)
    for (const outcome of results) expect(outcome).toMatchObject({ error: { code: 'transform.timeout' } })
    expect(results.at(-1)).toMatchObject({ error: { message: expect.stringContaining("before this event's turn") } })
    await hasty.close()
  })
  it('a loop in transformBatch fails every input', async () => {
    const failed = { kind: 'fail', error: { code: 'transform.timeout' } }
    expect(await outcomes('export function transformBatch() { for (;;); }', 2)).toMatchObject([failed, failed])
  })
  it('a result of transformBatch that takes all memory fails every input, and the sandbox keeps working', async () => {
    const code = `export function transformBatch(events) {
      const all = []
      for (let i = 0; i < 200; i++) all.push({ text: String.fromCharCode(200 + i) + 'x'.repeat(80000) })
      return all
    }`
    for (const outcome of await outcomes(code, 3)) expect(outcome.kind).toBe('fail')
    expect(await around('')).toEqual([pass(event(0)), pass(event(1)), pass(event(2))])
  })
  it('yields to the event loop between events', async () => {
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    await outcomes('export function transformEvent(e) { for (let i = 0; i < 3e5; i++); return e }', 20)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(2)
  })
})

describe('loading', () => {
  const entry = '\nexport function transformEvent() {}'
  for (const [what, code, message] of [
    ['an endless loop', 'for (;;);', 'timed out'],
    ['an await that never ends', 'await new Promise(() => {})', 'never resolves'],
    ['an endless chain of awaits', 'for (;;) await 0', 'timed out'],
    ['deep recursion', 'const f = () => f() + 1; f()', 'Maximum call stack size exceeded'],
    ['too much memory', "const a = []; for (;;) a.push('x'.repeat(1e6) + a.length)", 'memory'],
  ] as const) {
    it(`with ${what} at the top level is refused, and the sandbox keeps working`, async () => {
      const compiled = await sandbox.compile({ name: 't', code: code + entry, libraries: [] })
      expect(compiled).toMatchObject({
        ok: false,
        error: { code: 'transform.load', message: expect.stringContaining(message) },
      })
      expect(await around('')).toEqual([pass(event(0)), pass(event(1)), pass(event(2))])
    })
  }
})

describe('isolation', () => {
  const counter = `let calls = 0
    const before = Object.prototype.polluted
    export function transformEvent(event) {
      Object.prototype.polluted = 'yes'
      globalThis.kept = (globalThis.kept ?? 0) + 1
      calls += 1
      return { calls, kept, before: before ?? null }
    }`
  it('state is shared within a batch and never between batches', async () => {
    const want = [pass({ calls: 1, kept: 1, before: null }), pass({ calls: 2, kept: 2, before: null })]
    expect(await outcomes(counter, 2)).toEqual(want)
    expect(await outcomes(counter, 2)).toEqual(want)
  })
  it('concurrent batches do not affect each other', async () => {
    const runs = await Promise.all([outcomes(counter, 2), outcomes(counter, 2), outcomes(counter, 2)])
    for (const results of runs) expect(results).toMatchObject([pass({ calls: 1 }), pass({ calls: 2 })])
  })
  it('a promise of one event cannot provide the result of another', async () => {
    const code = `let settle
      export function transformEvent(event) {
        if (event.n === 0) return new Promise((resolve) => { settle = resolve })
        settle?.({ stolen: true })
        return event
      }`
    expect(await outcomes(code, 2)).toMatchObject([{ kind: 'fail' }, pass(event(1))])
  })
  it('what one program deletes still exists for the next one', async () => {
    const clean = await createSandbox({ mode: 'in-process' })
    const careless = `Math.random = Date.now = null; delete Date.prototype.constructor; delete globalThis.console; delete globalThis.log
      for (const key of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[key] } catch {}
      export const transformEvent = (event) => event`
    const careful = `export const transformEvent = () => ({ all: [Math.random(), Date.now(), new Date().getTime()].map((n) => n >= 0) })`
    for (let i = 0; i < 2; i += 1) {
      expect(await outcomes(careless, 1, clean)).toEqual([pass(event(0))])
      expect(await outcomes(careful, 1, clean)).toEqual([pass({ all: [true, true, true] })])
    }
    await clean.close()
  })
  it('the host prototype stays clean', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
  })
  it('overwritten built-ins do not affect how events cross', async () => {
    const code = `JSON.stringify = () => 'evil'
      JSON.parse = () => 7
      Array.isArray = () => true
      Reflect.apply = null
      String.prototype.slice = null
      Map.prototype.get = null
      Promise.resolve = null
      Promise.prototype.then = null
      Object.prototype.toString = () => '[object Evil]'
      export async function transformEvent(event) { await 0; log('x'); return event }`
    expect(await outcomes(code, 2)).toEqual([pass(event(0)), pass(event(1))])
  })
  it('no escape: no host globals, no shared memory, no host text in a stack', async () => {
    const names = [
      'process',
      'require',
      'module',
      'setTimeout',
      'SharedArrayBuffer',
      'Atomics',
      'WebAssembly',
      'Buffer',
    ]
    const code = `export function transformEvent() {
      const text = [Date, log, Math.random, new Error('x').stack].map((x) => '' + x).join()
      return { found: ${JSON.stringify(names)}.filter((n) => typeof new Function('return this')()[n] !== 'undefined'), text }
    }`
    const [outcome] = await outcomes(code, 1)
    const made = outcome?.kind === 'pass' ? outcome.items[0] : undefined
    expect(made?.['found']).toEqual([])
    expect(String(made?.['text'])).not.toMatch(/node_modules|packages|file:/)
  })
})

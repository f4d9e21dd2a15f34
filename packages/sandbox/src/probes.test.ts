import type { Event } from '@sluice/core'
import { afterEach, describe, expect, it } from 'vitest'
import { createProbes, type Probes } from './probes.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'

const open: Sandbox[] = []
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close()
})

async function run(code: string, options: SandboxOptions, count = 1) {
  return runIn(await sandboxWith(options), code, count)
}

async function sandboxWith(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox({ workers: 1, ...options })
  open.push(sandbox)
  return sandbox
}

async function runIn(sandbox: Sandbox, code: string, count = 1) {
  const compiled = await sandbox.compile({ name: 'probed', code, libraries: [] })
  if (!compiled.ok) return compiled.error.message
  const inputs = Array.from({ length: count }, (_, n) => ({ event: { type: 'track', n } as Event, metadata: {} }))
  const { outcomes } = await compiled.program.run(inputs, new AbortController().signal)
  return outcomes.map((outcome) => (outcome.kind === 'fail' ? outcome.error.code : outcome.kind))
}

function probesOf(count: number, isTimed = false): Probes {
  const probes = createProbes(count, { isTimed })
  probes.take(count)
  return probes
}

const hitsOf = (probes: Probes) => Array.from({ length: probes.count }, (_, probe) => probes.hits(probe))
const counting = "import { hits, first } from '@sluice/probe';"

describe('probes', () => {
  for (const mode of ['worker', 'in-process'] as const)
    for (const isolation of ['batch', 'event', 'none'] as const)
      it(`count every pass, ${mode}, isolation ${isolation}`, async () => {
        const probes = probesOf(4)
        const code = `${counting} export function transformEvent(event) {
          hits[0]++||first(); for (let i = 0; i < event.n; i++) { hits[1]++||first() } return event }`
        expect(await run(code, { mode, isolation, probes }, 5)).toEqual(Array(5).fill('pass'))
        expect(hitsOf(probes)).toEqual([5, 10, 0, 0])
      })

  it('count top-level code, and code after an await', async () => {
    const probes = probesOf(3)
    const code = `${counting} hits[0]++||first(); export async function transformEvent(event) {
      await null; hits[1]++||first(); await fetch('https://a.test'); hits[2]++||first(); return event }`
    await run(code, { probes, fetch: async () => Promise.reject(new Error('no')) }, 2)
    expect(probes.hits(0)).toBeGreaterThan(0)
    expect(hitsOf(probes).slice(1)).toEqual([2, 2])
  })

  const endings = [
    { name: 'a time-out', body: 'for (;;) {}', code: 'transform.timeout' },
    {
      name: 'too much memory',
      body: 'const all = []; for (;;) all.push(new Array(1e4).fill(1))',
      code: 'transform.memory',
    },
    { name: 'deep recursion', body: 'const f = () => f() + 1; f()', code: 'transform.stack' },
    {
      name: 'the end of the thread',
      body: 'Array.prototype.indexOf.call({ length: 2 ** 32 }, 1)',
      code: 'transform.timeout',
    },
  ]
  for (const { name, body, code } of endings)
    it(`keep what was counted through ${name}`, async () => {
      const probes = probesOf(2)
      const text = `${counting} export function transformEvent(event) {
        hits[0]++||first(); if (event.n === 1) { hits[1]++||first(); ${body} } return event }`
      const limits = { eventTimeMs: code === 'transform.timeout' ? 1_000 : 10_000, memoryBytes: 32 * 1024 * 1024 }
      expect(await run(text, { probes, limits }, 2)).toEqual(['pass', code])
      expect(probes.hits(0)).toBeGreaterThan(0)
      expect(probes.hits(1)).toBeGreaterThan(0)
    })

  it('add up the counts of several threads and machines', async () => {
    const probes = probesOf(1)
    const sandbox = await sandboxWith({ workers: 2, probes })
    const code = `${counting} export function transformEvent(event) { hits[0]++||first(); return event }`
    const compiled = await sandbox.compile({ name: 'probed', code, libraries: [] })
    if (!compiled.ok) throw new Error(compiled.error.message)
    const inputs = Array.from({ length: 10 }, () => ({ event: { type: 'track' } as Event, metadata: {} }))
    const { signal } = new AbortController()
    await Promise.all(Array.from({ length: 20 }, () => compiled.program.run(inputs, signal)))
    expect(probes.hits(0)).toBe(200)
  })

  it('measure the time of places, without that of called places', async () => {
    const probes = probesOf(4, true)
    const code = `import { mark, enter, leave } from '@sluice/probe'
      const busy = (rounds) => { let n = 0; for (let i = 0; i < rounds; i++) n += i; return n }
      function inner() { enter(1); try { return busy(600000) } finally { leave() } }
      export function transformEvent(event) { enter(0); try { mark(2); inner(); busy(60000); mark(3); return event } finally { leave() } }`
    await run(code, { probes }, 5)
    expect(hitsOf(probes)).toEqual([5, 5, 5, 5])
    expect(probes.timeMs(1)).toBeGreaterThan(5)
    // Ten times as much work: less than twice the time would be by chance.
    expect(probes.timeMs(1)).toBeGreaterThan(probes.timeMs(2))
    expect(probes.timeMs(1)).toBeGreaterThan(probes.timeMs(3))
    // Once at the start, once after the call.
    expect(probes.pieces(2)).toBe(10)
  })

  it('do not exist unless requested', async () => {
    const message = 'Error: import from @sluice/probe failed. Module not found.'
    const code = `${counting} export function transformEvent(event) { return event }`
    expect(await run(code, {})).toContain(message)
    expect(await run('export function transformEvent(event) { return [typeof hostProbes] && event }', {})).toEqual([
      'pass',
    ])
  })

  const attacks = {
    'ids out of range': 'for (const i of [-1, 1e9, 4, NaN, "length", "__proto__"]) { hits[i]++; hits[i] = 7 }',
    'a flood of first hits': 'for (let i = 0; i < 2000; i++) first(i, {}, "x".repeat(100))',
    'numbers of its own': 'hits.fill(4294967295); hits.set([1, 2, 3]); first()',
    'taking their memory away':
      'const { buffer } = hits; for (const take of ["transfer", "transferToFixedLength", "resize"]) try { buffer[take](0) } catch {} new Uint32Array(64).fill(7); first()',
    'overwriting built-ins': 'Uint32Array.prototype.fill = Date.now = () => { throw 1 }; Atomics = 1; first()',
    'looking for the offer': 'if (globalThis.hostProbes !== undefined) for (;;) {}',
  }
  for (const [name, body] of Object.entries(attacks))
    it(`do no harm by ${name}`, async () => {
      const probes = probesOf(4)
      const code = `${counting} export function transformEvent(event) { if (event.n === 1) try { ${body} } catch {} return event }`
      const sandbox = await sandboxWith({ probes, mode: 'in-process' })
      const ends = await runIn(sandbox, code, 3)
      expect(ends).toEqual(['pass', 'pass', 'pass'])
      // The next program of the same machine counts normally.
      probes.clear()
      const after = `${counting} export function transformEvent(event) { hits[3]++||first(); return event }`
      expect(await runIn(sandbox, after)).toEqual(['pass'])
      expect(hitsOf(probes)).toEqual([0, 0, 0, 1])
    })

  it('are assigned once, up to their number', () => {
    const probes = createProbes(5)
    expect([probes.take(2), probes.take(3), probes.take(1)]).toEqual([0, 2, undefined])
    expect(() => createProbes(0)).toThrow('the number of probes is 0, must be a whole number from 1 to 1048576')
  })
})

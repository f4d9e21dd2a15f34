import { type Event, fail, type JsonValue, pass } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import type { GuestApi } from '../guest-api.ts'
import type { ProgramRun } from '../program.ts'
import { createSandbox, type SandboxOptions } from '../sandbox.ts'

const live = new AbortController().signal
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Recorder {
  readonly api: GuestApi
  inFlight: number
  inFlightMax: number
  aborted: number
}

/** A small API: a module, a global, and functions that answer immediately or later. */
function recorder(): Recorder {
  const made: Recorder = { api: undefined as unknown as GuestApi, inFlight: 0, inFlightMax: 0, aborted: 0 }
  const later = async (value: JsonValue, ms: number, signal: AbortSignal): Promise<JsonValue> => {
    made.inFlight += 1
    made.inFlightMax = Math.max(made.inFlightMax, made.inFlight)
    signal.addEventListener('abort', () => {
      made.aborted += 1
    })
    await sleep(ms)
    made.inFlight -= 1
    return value
  }
  const api: GuestApi = {
    globals: '(() => { const call = callHost; globalThis.double = (n) => call("double", n) })()',
    modules: {
      '@test/later': `import { twice } from '@test/twice'
        const call = callHostLater
        export const later = (value, ms) => call('later', value, ms)
        export const never = (value) => call('never', value)
        export const refuse = (text) => call('refuse', text)
        export const unknown = (name) => call(name)
        export { twice }`,
      '@test/twice': `const call = callHost
        export const twice = (value) => call('twice', value)
        export const now = (name, ...args) => call(name, ...args)`,
    },
    syncCalls: {
      double: ([n]) => Number(n) * 2,
      twice: ([value = null]) => [value, value],
      throws: () => {
        throw new RangeError('out of range')
      },
    },
    asyncCalls: {
      later: ([value = null, ms], { signal }) => later(value, Number(ms), signal),
      never: (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            made.aborted += 1
            reject(signal.reason)
          })
        }),
      refuse: async ([text]) => {
        throw Object.assign(new Error(String(text)), { name: 'RefusedError' })
      },
    },
  }
  return Object.assign(made, { api })
}

async function run(code: string, count: number, options: SandboxOptions = {}, host = recorder()): Promise<ProgramRun> {
  // Steps count, not the clock: on a busy machine time ends code that is innocent.
  const sandbox = await createSandbox({ mode: 'in-process', timing: 'counted', api: host.api, ...options })
  const compiled = await sandbox.compile({ name: 't', code, libraries: [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  const inputs = Array.from({ length: count }, (_, n) => ({ event: { n }, metadata: {} }))
  const result = await compiled.program.run(inputs, live)
  await sandbox.close()
  return result
}
const each = (count: number, of: (n: number) => Event) => Array.from({ length: count }, (_, n) => pass(of(n)))
const timedOut = { kind: 'fail', error: { code: 'transform.timeout' } }

describe('host calls', () => {
  it('return immediately, through modules and globals', async () => {
    const code = `import { twice } from '@test/later'
      export const transformEvent = ({ n }) => ({ n: double(n), two: twice({ text: 'a\\0\\ud800', n }) })`
    const { outcomes } = await run(code, 2)
    expect(outcomes).toEqual(
      each(2, (n) => ({
        n: 2 * n,
        two: [
          { text: 'a\0\ud800', n },
          { text: 'a\0\ud800', n },
        ],
      })),
    )
  })
  it('answer later, events of a batch waiting together, outcomes in input order', async () => {
    const host = recorder()
    const code = `import { later } from '@test/later'
      export const transformEvent = async ({ n }) => ({ n, got: await later({ n }, 50 - n) })`
    const { outcomes } = await run(code, 50, {}, host)
    expect(outcomes).toEqual(each(50, (n) => ({ n, got: { n } })))
    expect(host.inFlightMax).toBe(50)
  })
  it("wait one by one with isolation 'event', each in a heap of its own", async () => {
    const host = recorder()
    const code = `import { later } from '@test/later'
      let calls = 0
      export const transformEvent = async ({ n }) => { calls += 1; await later(1, 2); return { n, calls } }`
    const { outcomes } = await run(code, 5, { isolation: 'event' }, host)
    expect(outcomes).toEqual(each(5, (n) => ({ n, calls: 1 })))
    expect(host.inFlightMax).toBe(1)
  })
  it('cause no leak warnings, even at the largest number of open calls', async () => {
    const warnings: string[] = []
    const caught = (warning: Error): number => warnings.push(warning.name)
    process.on('warning', caught)
    const host = recorder()
    const code = `import { later } from '@test/later'
      const count = (list, status) => list.filter((one) => one.status === status).length
      export const transformEvent = async () => {
        const all = await Promise.allSettled(Array.from({ length: 1100 }, (_, n) => later(n, 20)))
        return { answered: count(all, 'fulfilled'), refused: count(all, 'rejected') }
      }`
    const api: GuestApi = {
      ...host.api,
      asyncCalls: {
        later: (args, context) => {
          for (let i = 0; i < 2; i += 1) context.signal.addEventListener('abort', () => {})
          return host.api.asyncCalls['later']?.(args, context) ?? Promise.reject(new Error('no call'))
        },
      },
    }
    const { outcomes } = await run(code, 1, { api, limits: { eventTimeMs: 2_000 } })
    expect(outcomes).toEqual([pass({ answered: 1_000, refused: 100 })])
    await sleep(10)
    process.off('warning', caught)
    expect(warnings).toEqual([])
  })
  it('are part of the time of an event, whose message names all of it when it is spent', async () => {
    const host = recorder()
    const code = `import { later } from '@test/later'
      export const transformEvent = async () => { for (let n = 0; ; n += 1) { await later(n, 0); spend() } }
      const spend = () => { const until = Date.now() + 5; while (Date.now() < until); }`
    const { outcomes } = await run(code, 1, { api: host.api, timing: 'measured', limits: { eventTimeMs: 60 } })
    expect(outcomes).toMatchObject([{ error: { message: expect.stringContaining('ran longer than 60 ms') } }])
  })
  it('are possible in transformBatch', async () => {
    const code = `import { later } from '@test/later'
      export const transformBatch = (events) => Promise.all(events.map(async (e) => ({ ...e, got: await later(e.n, 5) })))`
    const { outcomes } = await run(`${code}`, 1)
    expect(outcomes).toEqual(each(1, (n) => ({ n, got: n })))
  })
  it('fail as errors of the guest, without anything of the host in them', async () => {
    const code = `import { refuse, unknown } from '@test/later'
      import { now } from '@test/twice'
      const caught = async (action) => { try { return await action() } catch (e) { return [e instanceof Error, e.name, e.message, /node|packages/.test(e.stack)] } }
      export const transformEvent = async () => ({
        caught: [await caught(() => refuse('no')), await caught(() => now('throws')), await caught(() => now('nope')), await caught(() => unknown('constructor')), await caught(() => now('twice', 1n))],
      })`
    const { outcomes } = await run(code, 1)
    const caught = [
      [true, 'RefusedError', 'no', false],
      [true, 'RangeError', 'out of range', false],
      [true, 'TypeError', 'the host has no function nope', false],
      [true, 'TypeError', 'the host has no function constructor', false],
      [true, 'TypeError', 'Do not know how to serialize a BigInt', false],
    ]
    expect(outcomes).toEqual([pass({ caught })])
  })
  it('can be reached only through the API', async () => {
    const code = `import * as api from '@test/later'
      export const transformEvent = () => ({
        found: [typeof callHost, typeof callHostLater, typeof new Function('return typeof callHost')],
        names: Object.keys(api), values: Object.getOwnPropertyNames(globalThis).filter((name) => /host/i.test(name)),
      })`
    const { outcomes } = await run(code, 1)
    const names = ['later', 'never', 'refuse', 'twice', 'unknown']
    expect(outcomes).toEqual([pass({ found: ['undefined', 'undefined', 'function'], names, values: [] })])
  })
  it('keep their modules even if a library has the same name', async () => {
    const sandbox = await createSandbox({ mode: 'in-process', api: recorder().api })
    const source = {
      name: '@test/later',
      code: "import { twice } from '@test/later'\nexport const transformEvent = () => ({ two: twice(1) })",
      libraries: [{ name: '@test/later', code: 'export const twice = () => 0' }],
    }
    const compiled = await sandbox.compile(source)
    const { outcomes } = compiled.ok
      ? await compiled.program.run([{ event: {}, metadata: {} }], live)
      : { outcomes: [] }
    expect(outcomes).toEqual([pass({ two: [1, 1] })])
    await sandbox.close()
  })
})

describe('the context of a run', () => {
  it('is passed to its own host functions only', async () => {
    const api: GuestApi = {
      globals: "(() => { const call = callHost; globalThis.known = () => call('known') })()",
      modules: {},
      syncCalls: { known: (_, { credentials }) => credentials?.['key'] ?? 'nothing' },
      asyncCalls: {},
    }
    const sandbox = await createSandbox({ mode: 'in-process', api })
    const compiled = await sandbox.compile({
      name: 't',
      code: 'export const transformEvent = () => ({ k: known() })',
      libraries: [],
    })
    if (!compiled.ok) throw new Error(compiled.error.message)
    const caught = async (credentials?: { key: string }) =>
      (await compiled.program.run([{ event: {}, metadata: {} }], live, credentials && { credentials })).outcomes
    expect(await caught({ key: 'one' })).toEqual([pass({ k: 'one' })])
    expect(await caught()).toEqual([pass({ k: 'nothing' })])
    await sandbox.close()
  })
})

describe('waiting', () => {
  it('ends at the limit, for the waiting event only', async () => {
    const code = `import { later, never } from '@test/later'
      export const transformEvent = async ({ n }) => ({ got: await (n === 1 ? never(n) : later(n, 0)) })`
    const host = recorder()
    const { outcomes } = await run(code, 3, { limits: { asyncTimeMs: 80 } }, host)
    expect(outcomes).toMatchObject([pass({ got: 0 }), timedOut, pass({ got: 2 })])
    expect(host.aborted).toBeGreaterThan(0)
  })
  it('that nothing can end fails immediately, even beside events that wait for the host', async () => {
    const code = `import { later } from '@test/later'
      export const transformEvent = async ({ n }) => (n === 1 ? new Promise(() => {}) : { got: await later(n, 10) })`
    // Waiting for the limit would take an hour.
    const { outcomes } = await run(code, 3, { limits: { asyncTimeMs: 3_600_000 } })
    expect(outcomes).toMatchObject([pass({ got: 0 }), timedOut, pass({ got: 2 })])
  })
  it('is not disturbed by a neighbour that loops after its wait: the others run again', async () => {
    const code = `import { later } from '@test/later'
      export const transformEvent = async ({ n }) => { await later(1, n); if (n === 3) for (;;); return { n } }`
    const { outcomes } = await run(code, 8, { limits: { eventTimeMs: 60 } })
    expect(outcomes.map(({ kind }) => kind)).toEqual(['pass', 'pass', 'pass', 'fail', 'pass', 'pass', 'pass', 'pass'])
    expect(outcomes[3]).toMatchObject(timedOut)
  })
  it('ends when the caller aborts', async () => {
    const sandbox = await createSandbox({ mode: 'in-process', api: recorder().api })
    const code = "import { never } from '@test/later'\nexport const transformEvent = () => never({})"
    const compiled = await sandbox.compile({ name: 't', code, libraries: [] })
    if (!compiled.ok) throw new Error(compiled.error.message)
    const stopping = new AbortController()
    const running = compiled.program.run([{ event: {}, metadata: {} }], stopping.signal)
    setTimeout(() => stopping.abort(new Error('stop')), 20)
    await expect(running).rejects.toThrow('stop')
    await sandbox.close()
  })
})

describe('a late answer', () => {
  for (const isolation of ['event', 'batch'] as const) {
    it(`reaches no promise of another event or batch: ${isolation}`, async () => {
      const code = `import { later } from '@test/later'
        export async function transformEvent({ n }) {
          if (n === 0) { later({ stolen: true }, 15); return { n } }
          const got = await later({ own: n }, 30)
          return { n, got }
        }`
      const host = recorder()
      const sandbox = await createSandbox({ mode: 'in-process', api: host.api, isolation })
      const compiled = await sandbox.compile({ name: 't', code, libraries: [] })
      if (!compiled.ok) throw new Error(compiled.error.message)
      const { program } = compiled
      const outcomes = []
      for (const n of [0, 1, 2]) outcomes.push(...(await program.run([{ event: { n }, metadata: {} }], live)).outcomes)
      expect(outcomes).toEqual([pass({ n: 0 }), pass({ n: 1, got: { own: 1 } }), pass({ n: 2, got: { own: 2 } })])
      expect(host.aborted).toBeGreaterThan(0)
      await sandbox.close()
    })
  }
})

describe('the log', () => {
  it('of waiting events is returned too', async () => {
    const code = `import { later } from '@test/later'
      export const transformEvent = async ({ n }) => { log('start', n); await later(1, 5); log('end', n); return { n } }`
    const { log } = await run(code, 3)
    expect([...log].sort()).toEqual(['end 0', 'end 1', 'end 2', 'start 0', 'start 1', 'start 2'])
  })
  it('of an event that timed out is kept', async () => {
    const code = "export const transformEvent = () => { log('before'); for (;;); }"
    const { outcomes, log } = await run(code, 1, { limits: { eventTimeMs: 50 } })
    expect([outcomes, log]).toEqual([[fail(expect.objectContaining({ code: 'transform.timeout' }))], ['before']])
  })
})

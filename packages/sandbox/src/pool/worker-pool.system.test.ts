import {
  createManualClock,
  createSeededRandom,
  type Event,
  type JsonObject,
  type Outcome,
  pass,
  SandboxBusyError,
} from '@sluice/core'
import { afterEach, describe, expect, it } from 'vitest'
import type { Program } from '../program.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox.ts'

const live = new AbortController().signal
const nativeLoop = 'const a = []; a.length = 2 ** 32 - 1; a.indexOf(5)'
/** Long enough for innocent code whose thread has to wait for a processor. */
const quick = { eventTimeMs: 1_000, batchTimeMs: 10_000, asyncTimeMs: 5_000 }

let sandbox: Sandbox | undefined
afterEach(() => sandbox?.close())

async function open(code: string, options: SandboxOptions = {}): Promise<Program> {
  sandbox ??= await createSandbox({ workers: 1, limits: quick, ...options })
  const compiled = await sandbox.compile({ name: 't', code, libraries: [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  return compiled.program
}

async function run(program: Program, events: readonly Event[], context?: { credentials: JsonObject }) {
  return (
    await program.run(
      events.map((event) => ({ event, metadata: {} })),
      live,
      context,
    )
  ).outcomes
}

const kinds = (outcomes: readonly Outcome<Event>[]): string =>
  outcomes.map((outcome) => (outcome.kind === 'fail' ? outcome.error.code : outcome.kind)).join(' ')

afterEach(() => {
  sandbox = undefined
})

describe('the worker pool', () => {
  const looping = `export function transformEvent(event) { if (event.loop) { ${nativeLoop} } return event }`

  it('terminates a native loop soon after its deadline: only that event fails, the rest of the batch runs again', async () => {
    const program = await open(looping)
    // The loop itself would take minutes.
    const outcomes = await run(program, [{ n: 0 }, { n: 1, loop: true }, { n: 2 }, { n: 3, loop: true }, { n: 4 }])
    expect(kinds(outcomes)).toBe('pass transform.timeout pass transform.timeout pass')
  })

  it('continues work that waited behind a native loop, on a new thread', async () => {
    const program = await open(looping)
    const loop = run(program, [{ loop: true }])
    const others = Array.from({ length: 20 }, (_, n) => run(program, [{ n }]))
    expect(kinds(await loop)).toBe('transform.timeout')
    expect((await Promise.all(others)).map(kinds)).toEqual(Array(20).fill('pass'))
  })

  it('survives one native loop after another', async () => {
    const program = await open(looping)
    for (let i = 0; i < 6; i += 1)
      expect(kinds(await run(program, [{ loop: true }, { n: i }]))).toBe('transform.timeout pass')
  })

  it('names the event whose answer cannot be written, not the one that ran last', async () => {
    const program = await open(
      'export function transformEvent(event) { if (event.big) { const a = []; a[4294967290] = 1; return { a } } return event }',
    )
    expect(kinds(await run(program, [{ n: 0 }, { big: true }, { n: 2 }]))).toMatch(/^pass transform\.\w+ pass$/)
  })

  it('fails the load of a module that loops natively at its top', async () => {
    await open('export const transformEvent = (event) => event')
    const compiled = await sandbox?.compile({
      name: 't',
      code: `${nativeLoop}\nexport const transformEvent = 1`,
      libraries: [],
    })
    expect(compiled).toMatchObject({ ok: false, error: { code: 'transform.load' } })
  })

  it('fails the load of a module with a native loop at its top level', async () => {
    const program = await open(`export function transformBatch(events) { ${nativeLoop} }`)
    expect(kinds(await run(program, [{ n: 0 }, { n: 1 }]))).toBe('transform.timeout transform.timeout')
  })

  it('keeps the main thread free while user code loops', async () => {
    const program = await open('export function transformEvent() { for (;;) {} }')
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 2)
    expect(kinds(await run(program, [{}, {}]))).toBe('transform.timeout transform.timeout')
    clearInterval(timer)
    expect(turns).toBeGreaterThan(30)
  })

  it('runs other batches of the same thread while some wait for the host', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const geolocation = async (ip: string) => {
      await held
      return { ip }
    }
    const waiting = await open(
      'export const transformEvent = async (event) => ({ ...event, geo: await geolocation(event.ip) })',
      {
        geolocation,
      },
    )
    const batches = Array.from({ length: 3 }, () => run(waiting, [{ ip: '8.8.8.8' }]))
    const other = await open('export const transformEvent = (event) => event')
    expect(kinds(await run(other, [{ n: 1 }]))).toBe('pass')
    release()
    expect(await Promise.all(batches)).toEqual(Array(3).fill([pass({ ip: '8.8.8.8', geo: { ip: '8.8.8.8' } })]))
  })

  it('gives a run only its own credentials', async () => {
    const program = await open("export const transformEvent = () => ({ key: getCredential('key') ?? null })")
    const told = await Promise.all(['a', 'b'].map((key) => run(program, [{}], { credentials: { key } })))
    expect([...told, await run(program, [{}])]).toEqual([
      [pass({ key: 'a' })],
      [pass({ key: 'b' })],
      [pass({ key: null })],
    ])
  })

  it('shows user code the time and randomness of its host', async () => {
    const options = { clock: createManualClock(Date.UTC(2020, 1, 2)), random: createSeededRandom(5) }
    const code =
      'export const transformEvent = () => ({ year: new Date().getFullYear(), drawn: [Math.random(), Math.random()] })'
    const first = await run(await open(code, options), [{}])
    const second = await run(await open(code), [{}])
    expect(first).toMatchObject([pass({ year: 2020 })])
    expect(JSON.stringify(first)).not.toBe(JSON.stringify(second))
    await sandbox?.close()
    sandbox = undefined
    const again = { clock: createManualClock(Date.UTC(2020, 1, 2)), random: createSeededRandom(5) }
    expect(await run(await open(code, again), [{}])).toEqual(first)
  })

  it('rejects a run that is aborted while it waits or runs, and continues with others', async () => {
    const program = await open('export function transformEvent(event) { for (let i = 0; i < 2e5; i++); return event }')
    const stopping = new AbortController()
    const events = Array.from({ length: 100 }, (_, n) => ({ event: { n }, metadata: {} }))
    const runs = Array.from({ length: 8 }, () => program.run(events, stopping.signal))
    await new Promise((resolve) => setTimeout(resolve, 20))
    stopping.abort(new Error('enough'))
    for (const each of await Promise.allSettled(runs)) expect(each).toMatchObject({ reason: new Error('enough') })
    expect(kinds(await run(program, [{ n: 1 }]))).toBe('pass')
  })

  it('accepts no more than its queue length', async () => {
    const program = await open('export function transformEvent() { for (;;) {} }', {
      queueLengthMax: 2,
      batchesPerWorker: 1,
    })
    // One runs, one has been sent ahead, two wait.
    const runs = Array.from({ length: 5 }, () => run(program, [{}]))
    await expect(runs[4]).rejects.toThrow(SandboxBusyError)
    expect((await Promise.all(runs.slice(0, 4))).map(kinds)).toEqual(Array(4).fill('transform.timeout'))
  })

  it('runs more programs than it keeps loaded', async () => {
    const options = { warm: { programsMax: 2 } }
    const programs = []
    for (let n = 0; n < 5; n += 1)
      programs.push(await open(`export const transformEvent = () => ({ n: ${n} })`, options))
    for (const [n, program] of [...programs.entries(), ...programs.entries()])
      expect(await run(program, [{}])).toEqual([pass({ n })])
  })

  it('loads a program again after the thread that had it has ended', async () => {
    const program = await open(looping)
    await run(program, [{ loop: true }])
    expect(kinds(await run(program, [{ n: 1 }]))).toBe('pass')
  })

  it('refuses work once it is closed, even during a run', async () => {
    const program = await open('export function transformEvent() { for (;;) {} }')
    const running = run(program, [{}])
    await sandbox?.close()
    await expect(running).rejects.toThrow('closed')
    await expect(run(program, [{}])).rejects.toThrow('closed')
  })

  for (const [name, value] of [
    ['workers', 0],
    ['batchesPerWorker', 1.5],
    ['queueLengthMax', -1],
  ] as const) {
    it(`refuses ${name} = ${value}`, () => expect(createSandbox({ [name]: value })).rejects.toThrow(name))
  }
})

describe('TypeScript', () => {
  it('runs without its types, and reports errors at the lines and columns of the source', async () => {
    const program = await open(`interface Order { total: number }
export function transformEvent(event: { order?: Order }): object {
  const order = event.order as Order
  return { total: order.total satisfies number }
}`)
    const outcomes = await run(program, [{ order: { total: 5 } }, {}])
    expect(outcomes[0]).toEqual(pass({ total: 5 }))
    expect(outcomes[1]).toMatchObject({
      error: {
        message: expect.stringMatching(
          /^TypeError: Cannot read properties of undefined \(reading 'total'\)\n {4}at transformEvent \(t:4:/,
        ),
      },
    })
  })

  it('that cannot be parsed is refused with a SyntaxError', async () => {
    await open('export const transformEvent = (event) => event')
    const compiled = await sandbox?.compile({
      name: 't',
      code: 'export function transformEvent(event: {\n',
      libraries: [],
    })
    expect(compiled).toMatchObject({
      ok: false,
      error: { code: 'transform.load', message: expect.stringContaining('SyntaxError') },
    })
  })
})

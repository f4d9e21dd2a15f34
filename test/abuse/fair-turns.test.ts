import { setTimeout as wait } from 'node:timers/promises'
import type { Event, Outcome } from '@sluice/core'
import { createSandbox, type Program, type Sandbox } from '@sluice/sandbox'
import { afterEach, describe, expect, it } from 'vitest'
import { patience } from '../support/processes/patience.ts'

const live = new AbortController().signal
/** Far above what innocent code takes on a busy machine. No test of turns waits for one of them. */
const limits = { eventTimeMs: 5_000, batchTimeMs: 20_000, asyncTimeMs: 20_000 }
/** For programs that end by their limit; innocent ones beside them take a few milliseconds. */
const short = { ...limits, eventTimeMs: 150 * patience() }
const looping = 'for (let end = Date.now() + 300; Date.now() < end; );'
const nativeLoop = 'const a = []; a.length = 2 ** 32 - 1; a.indexOf(5)'

let sandbox: Sandbox | undefined
afterEach(() => sandbox?.close())

async function programOf(owner: string, body: string): Promise<Program> {
  const code = `export async function transformEvent(event) { ${body}; return event }`
  const compiled = await sandbox?.compile({ name: owner, code, libraries: [] }, owner)
  if (!compiled?.ok) throw new Error(compiled?.error.message)
  return compiled.program
}

async function run(program: Program, events: readonly Event[]): Promise<readonly Outcome<Event>[]> {
  const inputs = events.map((event) => ({ event, metadata: {} }))
  return (await program.run(inputs, live)).outcomes
}

const kinds = (outcomes: readonly Outcome<Event>[]): string => outcomes.map(({ kind }) => kind).join(' ')

/** Answers soon. Unlike a look-up with geolocation, it may wait long for a thread that a loop holds. */
async function answered(url: string) {
  await wait(20)
  return { url, status: 200, headers: {}, text: '{}' }
}

/** Counts how many runs of the attacker ended while another owner does its work. */
function counted(runs: readonly Promise<unknown>[]): { readonly ended: number } {
  const count = { ended: 0 }
  const end = (): void => {
    count.ended += 1
  }
  for (const each of runs) each.then(end, end)
  return count
}

describe('one owner cannot take the turns of another', () => {
  it('sixteen queued batches of one second each do not delay a light batch of another owner by even one of them', async () => {
    sandbox = await createSandbox({ workers: 1, limits })
    const slow = await programOf('a', looping)
    const light = await programOf('b', '')
    const flood = Array.from({ length: 16 }, () => run(slow, [{ n: 1 }, { n: 2 }, { n: 3 }]))
    const ended = counted(flood)
    for (let n = 0; n < 20; n += 1) {
      const before = ended.ended
      expect(kinds(await run(light, [{ n }]))).toBe('pass')
      // The batches take 0.9 s each, so at most the one that was about to end.
      expect(ended.ended - before).toBeLessThanOrEqual(1)
    }
    expect(ended.ended).toBeLessThan(8)
    await sandbox.close()
    await Promise.allSettled(flood)
  })

  it('batches that wait for the host do not occupy all machines', async () => {
    const released: (() => void)[] = []
    const fetch = () => new Promise<never>((_, reject) => released.push(() => reject(new Error('released'))))
    // A look-up with geolocation would end by itself after a second.
    sandbox = await createSandbox({ workers: 1, limits, fetch })
    const waiting = await programOf('a', "await fetch('http://x.test/').catch(() => {})")
    const light = await programOf('b', '')
    const flood = Array.from({ length: 40 }, () => run(waiting, [{}]))
    const ended = counted(flood)
    expect(kinds(await run(light, [{ n: 1 }]))).toBe('pass')
    expect(ended.ended).toBe(0)
    await sandbox.close()
    for (const release of released) release()
    await Promise.allSettled(flood)
  })

  it('an owner that fills the queue loses its own newest batches, not those of other owners', async () => {
    sandbox = await createSandbox({ workers: 1, limits, queueLengthMax: 20 })
    const slow = await programOf('a', looping)
    const light = await programOf('b', '')
    const flood = Array.from({ length: 60 }, () => run(slow, [{}]).catch((error: Error) => error.name))
    const own = Array.from({ length: 10 }, (_, n) => run(light, [{ n }]))
    expect((await Promise.all(own)).map(kinds)).toEqual(Array(10).fill('pass'))
    await sandbox.close()
    expect(
      (await Promise.allSettled(flood)).filter((each) => 'value' in each && each.value === 'SandboxBusyError').length,
    ).toBeGreaterThan(30)
  })

  it('twenty saves of code that keeps the type stripper busy do not delay the save of another owner by even one of them', async () => {
    sandbox = await createSandbox({ workers: 1, limits })
    const hostile = { name: 'hostile', code: `x=${'<T>('.repeat(30)}`, libraries: [] }
    const saves = Array.from({ length: 20 }, () => sandbox?.compile(hostile, 'a') ?? Promise.resolve())
    const ended = counted(saves)
    const typed = {
      name: 'typed',
      code: 'export function transformEvent(event: object) { return event }',
      libraries: [],
    }
    expect((await sandbox.compile(typed, 'b')).ok).toBe(true)
    expect(ended.ended).toBeLessThanOrEqual(1)
    await sandbox.close()
    await Promise.allSettled(saves)
  })
})

describe('one owner cannot fail the events of another', () => {
  it('native loops, one after the other, end threads: no innocent event fails, and none runs more than twice', async () => {
    const fetched = new Map<string, number>()
    const fetch = async (url: string) => {
      fetched.set(url, (fetched.get(url) ?? 0) + 1)
      return answered(url)
    }
    sandbox = await createSandbox({ workers: 1, limits: short, fetch })
    const innocent = await programOf('b', 'await fetch(event.url)')
    const hostile = await Promise.all(Array.from({ length: 5 }, (_, n) => programOf('a', `${nativeLoop}; /* ${n} */`)))
    const flood = hostile.flatMap((program) => [run(program, [{}]), run(program, [{}])])
    const own = await Promise.all(Array.from({ length: 12 }, (_, n) => run(innocent, [{ url: `http://x.test/${n}` }])))
    expect(own.map(kinds)).toEqual(Array(12).fill('pass'))
    expect((await Promise.all(flood)).map(kinds)).toEqual(Array(10).fill('fail'))
    expect(Math.max(...fetched.values())).toBeLessThanOrEqual(2)
  })

  it('a loop after an await is blamed on the program that loops, not on the program that ran last', async () => {
    sandbox = await createSandbox({ workers: 1, limits: short, fetch: answered })
    const hostile = await programOf('a', `await fetch('http://x.test/'); ${nativeLoop}`)
    const innocent = await programOf('b', "await fetch('http://x.test/1'); await fetch('http://x.test/2')")
    const attack = run(hostile, [{}])
    const own = await Promise.all(Array.from({ length: 3 }, (_, n) => run(innocent, [{ n }])))
    expect(own.map(kinds)).toEqual(['pass', 'pass', 'pass'])
    expect(kinds(await attack)).toBe('fail')
  })

  it('a program that behaves well again is trusted again', async () => {
    sandbox = await createSandbox({ workers: 1, limits: short })
    const program = await programOf('a', `if (event.loop) { ${nativeLoop} }`)
    expect(kinds(await run(program, [{ loop: true }]))).toBe('fail')
    for (let n = 0; n < 25; n += 1) expect(kinds(await run(program, [{ n }]))).toBe('pass')
  })
})

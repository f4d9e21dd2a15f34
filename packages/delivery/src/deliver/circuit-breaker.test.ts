import { createManualClock } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Admission, createCircuitBreaker } from './circuit-breaker.ts'

const live = new AbortController().signal
/** Lets promises that were resolved continue. */
const settle = () => new Promise(setImmediate)

function open(failuresMax = 2) {
  const clock = createManualClock()
  const breaker = createCircuitBreaker({ clock, failuresMax, firstMs: 1_000, lastMs: 4_000 })
  const admitted: Admission[] = []
  /** Requests admission; adds it to `admitted` once it is granted. */
  const ask = async (until?: number) => {
    const admission = await breaker.admit(live, until === undefined ? {} : { until })
    if (admission) admitted.push(admission)
    return admission
  }
  const fail = async (times = 1) => {
    for (let n = 0; n < times; n += 1) (await breaker.admit(live))?.record({ works: false })
  }
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds)
    await settle()
  }
  return { clock, breaker, admitted, ask, fail, pass }
}

describe('circuit breaker', () => {
  it('admits every request immediately while the destination works', async () => {
    const { breaker, admitted, ask } = open()
    await Promise.all([ask(), ask(), ask()])
    expect(admitted.map(({ hasWaited }) => hasWaited)).toEqual([false, false, false])
    expect(breaker.failingSince).toBeUndefined()
  })

  it('opens after the configured number of failures in a row; a success in between resets the count', async () => {
    const { breaker, admitted, ask, fail } = open()
    await fail()
    ;(await breaker.admit(live))?.record({ works: true })
    await fail()
    await ask()
    expect(admitted).toHaveLength(1)
    await fail()
    void ask()
    await settle()
    expect(admitted).toHaveLength(1)
  })

  it('sends one probe after the wait, and admits all requests when it succeeds', async () => {
    const { breaker, admitted, ask, fail, pass } = open()
    await fail(2)
    for (let n = 0; n < 5; n += 1) void ask()
    await pass(999)
    expect(admitted).toHaveLength(0)
    await pass(1)
    expect(admitted.map(({ hasWaited }) => hasWaited)).toEqual([true])
    admitted[0]?.record({ works: true })
    await settle()
    expect(admitted).toHaveLength(5)
    expect(breaker.failingSince).toBeUndefined()
  })

  it('waits twice as long after each failed probe, up to a maximum', async () => {
    const { admitted, ask, fail, pass } = open()
    await fail(2)
    for (let n = 0; n < 5; n += 1) void ask()
    for (const [probe, waitMs] of [1_000, 2_000, 4_000, 4_000].entries()) {
      await pass(waitMs - 1)
      expect(admitted).toHaveLength(probe)
      await pass(1)
      expect(admitted).toHaveLength(probe + 1)
      admitted[probe]?.record({ works: false })
    }
  })

  it('sends another probe when the first ends without a result', async () => {
    const { admitted, ask, fail, pass } = open()
    await fail(2)
    for (let n = 0; n < 2; n += 1) void ask()
    await pass(1_000)
    admitted[0]?.release()
    await settle()
    expect(admitted).toHaveLength(2)
  })

  it('lets one request through before its time when it is to try now, and closes when that succeeds', async () => {
    const { breaker, admitted, ask, fail, pass } = open()
    expect(breaker.tryNow()).toBe(false)
    await fail(2)
    for (let n = 0; n < 3; n += 1) void ask()
    await pass(1)
    expect(breaker.tryNow()).toBe(true)
    await settle()
    expect(admitted).toHaveLength(1)
    admitted[0]?.record({ works: true })
    await settle()
    expect(admitted).toHaveLength(3)
    expect(breaker.state()).toMatchObject({ isOpen: false })
  })

  it('stays open when the try fails, until the next time', async () => {
    const { breaker, admitted, ask, fail, pass, clock } = open()
    await fail(2)
    for (let n = 0; n < 3; n += 1) void ask()
    breaker.tryNow()
    await settle()
    expect(admitted).toHaveLength(1)
    admitted[0]?.record({ works: false })
    await settle()
    expect(admitted).toHaveLength(1)
    expect(breaker.state()).toMatchObject({ isOpen: true, nextTryAt: clock.now() + 2_000 })
    await pass(2_000)
    expect(admitted).toHaveLength(2)
  })

  it('keeps the try for the next request when none waits, and for another when one ends without a result', async () => {
    const { breaker, admitted, ask, fail, clock } = open()
    await fail(2)
    breaker.tryNow()
    expect(breaker.state()).toMatchObject({ isOpen: true, nextTryAt: clock.now() })
    await ask()
    expect(admitted.map(({ hasWaited }) => hasWaited)).toEqual([false])
    void ask()
    await settle()
    expect(admitted).toHaveLength(1)
    admitted[0]?.release()
    await settle()
    expect(admitted).toHaveLength(2)
  })

  it('ends a pause that the destination asked for when the try succeeds, and keeps a pause that came meanwhile', async () => {
    for (const comesMeanwhile of [false, true]) {
      const { breaker, admitted, ask } = open(9)
      const [asked, early] = await Promise.all([ask(), ask()])
      asked?.record({ works: false, pauseMs: 60_000 })
      for (let n = 0; n < 2; n += 1) void ask()
      breaker.tryNow()
      await settle()
      expect(admitted).toHaveLength(3)
      if (comesMeanwhile) early?.record({ works: false, pauseMs: 90_000 })
      admitted[2]?.record({ works: true })
      await settle()
      expect(admitted).toHaveLength(comesMeanwhile ? 3 : 4)
    }
  })

  it('does not count requests that were in flight when it opened as probes', async () => {
    const { admitted, ask, fail, pass } = open()
    const early = await Promise.all([ask(), ask(), ask()])
    admitted.length = 0
    await fail(2)
    for (let n = 0; n < 3; n += 1) void ask()
    early[0]?.record({ works: false })
    await pass(1_000)
    expect(admitted).toHaveLength(1)
    early[1]?.release()
    early[2]?.record({ works: false })
    await settle()
    expect(admitted).toHaveLength(1)
  })

  it('closes when a request succeeds that was in flight when it opened', async () => {
    const { admitted, ask, fail, pass } = open()
    const early = await ask()
    await fail(2)
    for (let n = 0; n < 3; n += 1) void ask()
    early?.record({ works: true })
    await pass(1_000)
    expect(admitted).toHaveLength(4)
  })

  it('pauses for as long as the destination requests, whatever succeeds meanwhile', async () => {
    const { admitted, ask, pass } = open(9)
    const [asked, early] = await Promise.all([ask(), ask()])
    asked?.record({ works: false, pauseMs: 60_000 })
    early?.record({ works: true })
    for (let n = 0; n < 3; n += 1) void ask()
    await pass(59_999)
    expect(admitted).toHaveLength(2)
    await pass(1)
    expect(admitted).toHaveLength(5)
  })

  it('reports since when the destination has failed', async () => {
    const { clock, breaker, fail, pass } = open(9)
    const start = clock.now()
    await fail()
    await pass(500)
    await fail()
    expect(breaker.failingSince).toBe(start)
  })

  it('rejects requests that cannot wait that long', async () => {
    const { clock, ask, fail, pass } = open()
    await fail(2)
    const asked = ask(clock.now() + 300)
    await pass(300)
    expect(await asked).toBeUndefined()
  })

  it('stops waiting when the signal aborts', async () => {
    const { breaker, fail } = open()
    await fail(2)
    const stop = new AbortController()
    const asked = breaker.admit(stop.signal)
    stop.abort(new Error('stopping'))
    await expect(asked).rejects.toThrow('stopping')
    expect(() => breaker.admit(stop.signal)).toThrow('stopping')
  })

  it('never has more than one probe in flight, and admits every request in the end', async () => {
    const moves = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('ask' as const) }),
        fc.record({ kind: fc.constant('pass' as const), milliseconds: fc.constantFrom(1, 500, 1_000, 5_000) }),
        fc.record({
          kind: fc.constant('end' as const),
          which: fc.nat(),
          how: fc.constantFrom('works' as const, 'fails' as const, 'pause' as const, 'release' as const),
        }),
      ),
      { maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(moves, async (all) => {
        const { ask, pass } = open()
        const underWay: { readonly admission: Admission; readonly isProbe: boolean }[] = []
        let asked = 0
        let inARow = 0
        const askOne = () => {
          asked += 1
          void ask().then((admission) => {
            asked -= 1
            if (admission) underWay.push({ admission, isProbe: inARow >= 2 })
            expect(underWay.filter(({ isProbe }) => isProbe).length).toBeLessThanOrEqual(1)
          })
        }
        const end = (which: number, how: 'works' | 'fails' | 'pause' | 'release') => {
          const [ended] = underWay.splice(which % underWay.length, 1)
          if (how === 'release') return ended?.admission.release()
          if (how === 'works') inARow = 0
          else if (ended?.isProbe || inARow < 2) inARow += 1
          ended?.admission.record({ works: how === 'works', pauseMs: how === 'pause' ? 2_000 : 0 })
          // A second report about the same request changes nothing.
          ended?.admission.release()
        }
        for (const move of all) {
          if (move.kind === 'ask') askOne()
          else if (move.kind === 'pass') await pass(move.milliseconds)
          else if (underWay.length > 0) end(move.which, move.how)
          await settle()
        }
        for (let n = 0; asked + underWay.length > 0 && n < 500; n += 1) {
          while (underWay.length > 0) end(0, 'works')
          await pass(5_000)
        }
        expect(asked).toBe(0)
      }),
      { numRuns: 100 },
    )
  })

  it('stops waiting once it is drained', async () => {
    const { breaker, fail } = open()
    await fail(2)
    const drain = new AbortController()
    const asked = breaker.admit(live, { drain: drain.signal })
    drain.abort()
    expect(await asked).toBeUndefined()
  })

  it('does not open for an event that keeps failing while others are accepted', async () => {
    const { breaker } = open()
    for (let n = 0; n < 5; n += 1) (await breaker.admit(live))?.record({ works: false, isRepeated: true })
    expect(breaker.failingSince).toBeUndefined()
    expect(await breaker.admit(live)).toBeDefined()
  })
})

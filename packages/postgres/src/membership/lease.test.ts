import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Lease } from './lease.ts'
import { SilentNodes } from './silent-nodes.ts'

const leaseMs = 5_000
const times = { leaseMs, marginMs: 500 }

/** What happens in a schedule; each step takes some time. */
type Step =
  | {
      readonly kind: 'beat'
      readonly arrivesAfter: number
      readonly answeredAfter: number
      readonly isAnswered: boolean
    }
  | { readonly kind: 'look' }
  | { readonly kind: 'wait' }

/** Milliseconds. The dangerous schedules are those where one thing is quick and another takes about a lease. */
const shortOrLong = fc.oneof(fc.nat(100), fc.nat(4_000), fc.integer({ min: leaseMs - 100, max: leaseMs + 100 }))

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('beat' as const),
    arrivesAfter: shortOrLong,
    answeredAfter: shortOrLong,
    isAnswered: fc.boolean(),
  }),
  fc.constant({ kind: 'look' as const }),
  fc.constant({ kind: 'wait' as const }),
)

describe('a lease', () => {
  it('has ended before any other process takes its holder for dead, however slow beats, answers and looks are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyStep, shortOrLong), { maxLength: 60 }),
        fc.nat(1_000_000),
        (steps, otherClock) => {
          let now = 0
          let beat = 0
          let seenDead = false
          const lease = new Lease(times, { now: () => now, wall: () => now })
          const silence = new SilentNodes()
          // What the database, and then the holder, will learn, in order of time.
          const later: { readonly at: number; readonly happens: () => void }[] = []
          const advance = (ms: number): void => {
            const until = now + ms
            for (;;) {
              later.sort((a, b) => a.at - b.at)
              if ((later[0]?.at ?? Number.POSITIVE_INFINITY) > until) break
              const next = later.shift()
              now = Math.max(now, next?.at ?? now)
              next?.happens()
            }
            now = until
          }
          for (const [step, ms] of steps) {
            const sentAt = now
            if (step.kind === 'beat')
              later.push({
                at: sentAt + step.arrivesAfter,
                happens: () => {
                  // The row of one that was taken for dead is gone.
                  if (seenDead) return
                  beat += 1
                  const renews = (): void => lease.renew({ now: sentAt, wall: sentAt })
                  if (step.isAnswered) later.push({ at: now + step.answeredAfter, happens: renews })
                },
              })
            else if (
              step.kind === 'look' &&
              !seenDead &&
              silence.look([{ id: 'a', beat, lease_ms: leaseMs }], now + otherClock).length > 0
            ) {
              seenDead = true
            }
            if (seenDead) expect(lease.isValid).toBe(false)
            advance(ms)
            if (seenDead) expect(lease.isValid).toBe(false)
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('lasts while beats are answered in time', () => {
    let now = 0
    const lease = new Lease(times, { now: () => now, wall: () => now })
    for (let beat = 0; beat < 60_000; beat += 1_000) {
      lease.renew({ now: beat, wall: beat })
      now = beat + 4_400
      expect(lease.isValid).toBe(true)
      now = beat + 4_600
      expect(lease.isValid).toBe(false)
    }
  })

  it('is over when the machine was suspended between a beat and its answer, in which the first clock stands still', () => {
    let [now, wall] = [0, 0]
    const lease = new Lease(times, { now: () => now, wall: () => wall })
    const sent = lease.moment()
    now += 10
    wall += 10 + 12_000
    lease.renew(sent)
    expect(lease.isValid).toBe(false)
  })
})

describe('silence', () => {
  it('is noticed after a lease without a beat, and only then', () => {
    const silence = new SilentNodes()
    const look = (beat: number, now: number) =>
      silence.look([{ id: 'a', beat, lease_ms: leaseMs }], now).map(({ id }) => id)
    expect(look(1, 0)).toEqual([])
    expect(look(1, 4_999)).toEqual([])
    expect(look(2, 5_000)).toEqual([])
    expect(look(2, 9_999)).toEqual([])
    expect(look(2, 10_000)).toEqual(['a'])
  })

  it('is measured by the lease of the process that is silent', () => {
    const silence = new SilentNodes()
    const nodes = [
      { id: 'short', beat: 1, lease_ms: 1_000 },
      { id: 'long', beat: 1, lease_ms: 60_000 },
    ]
    const look = (now: number) => silence.look(nodes, now).map(({ id }) => id)
    expect([look(0), look(1_000), look(59_999), look(60_000)]).toEqual([[], ['short'], ['short'], ['short', 'long']])
  })
})

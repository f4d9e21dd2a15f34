import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Slots } from './slots.ts'

describe('slots', () => {
  it('let no more work run than there are, start it in order, and are free again after a failure', async () => {
    const works = fc.array(fc.record({ turns: fc.nat(4), fails: fc.boolean() }), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), works, async (count, all) => {
        const slots = new Slots(count)
        const started: number[] = []
        let running = 0
        const ends = await Promise.allSettled(
          all.map(({ turns, fails }, n) =>
            slots.run(async () => {
              started.push(n)
              running += 1
              expect(running).toBeLessThanOrEqual(count)
              for (let turn = 0; turn < turns; turn += 1) await null
              running -= 1
              if (fails) throw new Error(`${n}`)
              return n
            }),
          ),
        )
        expect(started).toEqual(all.map((_, n) => n))
        expect(ends.map(({ status }) => status === 'rejected')).toEqual(all.map(({ fails }) => fails))
        expect(await slots.run(async () => 'free')).toBe('free')
      }),
    )
  })

  it('can be left by many as soon as they enter, in the order in which they came', () => {
    const slots = new Slots(1)
    const entered: number[] = []
    slots.enter(() => {})
    for (let n = 0; n < 50_000; n += 1)
      slots.enter(() => {
        entered.push(n)
        if (n === 1) slots.enter(() => entered.push(-1))
        slots.leave()
      })
    slots.leave()
    expect(entered).toEqual([...Array(50_000).keys(), -1])
  })
})

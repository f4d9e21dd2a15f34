import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SharedBudget } from './shared-budget.ts'

const asked = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 30 })), { maxLength: 100 })

describe('shared budget', () => {
  it('belongs entirely to a single workspace', () => {
    const budget = new SharedBudget(100)
    const share = budget.share('a')
    let taken = 0
    for (; share.admits; taken += 1) share.take(1)
    expect(taken).toBe(100)
    share.take(-1)
    expect(share.admits).toBe(true)
  })

  it('reserves a part for each workspace, whatever the others take and in whatever order', () => {
    fc.assert(
      fc.property(asked, (all) => {
        const budget = new SharedBudget(120)
        for (const id of ['a', 'b', 'c', 'late']) budget.share(id)
        for (const [id, amount] of all)
          for (let i = 0; i < amount; i += 1) if (budget.share(id).admits) budget.share(id).take(1)
        expect(budget.used).toBeLessThanOrEqual(120)
        const late = budget.share('late')
        let got = 0
        for (; late.admits; got += 1) late.take(1)
        expect(got).toBeGreaterThanOrEqual(late.reserved)
        expect(budget.used).toBeLessThanOrEqual(120)
      }),
    )
  })

  it('knows at any moment what all hold beyond their parts, also when holders were added', () => {
    const change = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: -30, max: 30 }))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 100 }), (changes) => {
        const budget = new SharedBudget(120)
        for (const [id, amount] of changes) {
          const share = budget.share(id)
          share.take(Math.max(amount, -share.held))
          const beyond = [...budget.shares.values()].map(({ held }) => Math.max(0, held - budget.reserved))
          expect(budget.borrowed).toBeCloseTo(
            beyond.reduce((sum, each) => sum + each, 0),
            9,
          )
        }
      }),
    )
  })

  it('looks at no other holder to answer one, however many there are', () => {
    const budget = new SharedBudget(1_000)
    for (let n = 0; n < 100; n += 1) budget.share(`w${n}`).take(6)
    const share = budget.share('w0')
    expect(share.admits).toBe(true)
    let looks = 0
    budget.shares.values = () => {
      looks += 1
      return Map.prototype.values.call(budget.shares)
    }
    for (let n = 0; n < 50; n += 1) if (share.admits) share.take(1)
    expect({ looks, held: share.held }).toEqual({ looks: 0, held: 56 })
  })

  it('makes the workspace that holds most give up first, so that an equal share is never taken away', () => {
    fc.assert(
      fc.property(asked, (all) => {
        const budget = new SharedBudget(120)
        for (const [id, amount] of all) {
          for (;;) {
            const first = budget.firstToGiveUp(id, amount)
            if (first === undefined) budget.share(id).take(amount)
            if (first === undefined || first === id) break
            expect(budget.share(first).held).toBeGreaterThan(budget.share(id).held + amount)
            expect(budget.share(first).held).toBeGreaterThan(120 / 3 - 30)
            budget.share(first).take(-1)
          }
        }
        expect(budget.used).toBeLessThanOrEqual(120)
      }),
    )
  })
})

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

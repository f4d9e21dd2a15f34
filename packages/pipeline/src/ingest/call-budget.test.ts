import { describe, expect, it } from 'vitest'
import { CallBudget, eventsOf } from './call-budget.ts'

const call = (events: number, bytes = 0) => ({
  writeKey: 'k',
  type: 'batch' as const,
  payload: { batch: new Array(events).fill({}) },
  bytes,
})
/** Takes room until there is none. @returns how many calls had room. */
function fill(budget: CallBudget, workspaceId: string, each: ReturnType<typeof call>): number {
  let calls = 0
  while (calls < 10_000 && budget.take(workspaceId, each) !== undefined) calls += 1
  return calls
}

describe('the budget of calls that are not in the log yet', () => {
  it('has room for the usual load: a hundred calls of 100 events, 1 KB each', () => {
    expect(fill(new CallBudget(), 'w', call(100, 100_000))).toBeGreaterThan(100)
  })

  it('has room for few of the largest calls, and for all again once they are done', () => {
    const budget = new CallBudget()
    const largest = call(20_000, 4_000_000)
    const first = budget.take('w', largest)
    expect(fill(budget, 'w', largest)).toBeLessThan(5)
    expect(budget.take('w', largest)).toBeUndefined()
    first?.()
    expect(budget.take('w', call(1))).toBeTypeOf('function')
  })

  it('always has room for another workspace, whatever one of them sends', () => {
    const budget = new CallBudget()
    expect(budget.take('b', call(1))).toBeTypeOf('function')
    for (const each of [call(20_000), call(1, 4_000_000), call(1)]) fill(budget, 'a', each)
    expect(budget.take('b', call(500, 500_000))).toBeTypeOf('function')
  })

  it('counts events without looking at them: one where the call is no batch', () => {
    expect(eventsOf(call(7))).toBe(7)
    for (const payload of [undefined, null, 5, {}, { batch: 'x' }, { batch: [] }])
      expect(eventsOf({ writeKey: 'k', type: 'batch', payload })).toBe(1)
    expect(eventsOf({ writeKey: 'k', type: 'track', payload: { batch: [1, 2] } })).toBe(1)
  })
})

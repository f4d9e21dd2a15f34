import { describe, expect, it } from 'vitest'
import { BodyBudget } from './body-budget.ts'

describe('the memory for request bodies', () => {
  it('is used up to its limit, and freed when a body is closed', () => {
    const budget = new BodyBudget(100)
    const body = budget.open('w')
    expect([body.take(100), body.take(1), budget.held('w')]).toEqual([true, false, 100])
    body.close()
    expect([budget.held('w'), budget.open('w').take(100)]).toEqual([0, true])
  })

  it('is freed once, however often a body is closed', () => {
    const budget = new BodyBudget(100)
    const [first, second] = [budget.open('w'), budget.open('w')]
    first.take(50)
    second.take(50)
    first.close()
    first.close()
    expect(budget.held('w')).toBe(50)
  })

  it('makes room for another workspace by aborting the oldest body of the one that holds most', () => {
    const budget = new BodyBudget(100)
    const cut: string[] = []
    const bodies = ['oldest', 'newer'].map((name) => {
      const body = budget.open('greedy')
      body.onCut = () => cut.push(name)
      body.take(50)
      return body
    })
    const other = budget.open('modest')
    expect([other.take(10), cut, budget.held('greedy'), budget.held('modest')]).toEqual([true, ['oldest'], 50, 10])
    expect([bodies[0]?.take(1), bodies[1]?.take(1)]).toEqual([false, true])
  })

  it('aborts as many bodies as are needed, and none that holds nothing', () => {
    const budget = new BodyBudget(100)
    let cuts = 0
    for (const bytes of [0, 20, 20, 20, 20, 20]) {
      const body = budget.open('greedy')
      body.onCut = () => {
        cuts += 1
      }
      body.take(bytes)
    }
    expect([budget.open('modest').take(45), cuts]).toEqual([true, 3])
  })

  it('aborts no body of others for a workspace that would hold as much as they do', () => {
    const budget = new BodyBudget(100)
    const cut: string[] = []
    const [a, b] = ['a', 'b'].map((id) => {
      const body = budget.open(id)
      body.onCut = () => cut.push(id)
      return body
    })
    a?.take(50)
    b?.take(50)
    expect([a?.take(1), cut]).toEqual([false, []])
  })

  it('refuses a body that alone exceeds it', () => {
    expect(new BodyBudget(100).open('w').take(101)).toBe(false)
  })
})

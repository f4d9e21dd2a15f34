import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Deadlined, DeadlineQueue } from './deadline-queue.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

class Wait implements Deadlined {
  earlier: Deadlined | undefined
  later: Deadlined | undefined
  readonly dueAt: number
  readonly late: () => void

  constructor(dueAt: number, late: () => void) {
    this.dueAt = dueAt
    this.late = late
  }
}

it('ends what is due, in order, whatever was added and removed before', () => {
  const step = fc.oneof(
    fc.record({ add: fc.integer({ min: 1, max: 50 }) }),
    fc.record({ remove: fc.nat(20) }),
    fc.record({ pass: fc.integer({ min: 1, max: 30 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new DeadlineQueue()
      const waiting: Wait[] = []
      const ended: number[] = []
      for (const each of steps) {
        if ('add' in each) {
          const wait: Wait = new Wait(performance.now() + each.add, () => {
            ended.push(wait.dueAt)
            waiting.splice(waiting.indexOf(wait), 1)
          })
          waiting.push(wait)
          queue.add(wait)
        } else if ('remove' in each) {
          const [removed] = waiting.splice(each.remove, 1)
          if (removed) queue.remove(removed)
        } else vi.advanceTimersByTime(each.pass)
        expect(waiting.every(({ dueAt }) => dueAt - performance.now() > -1)).toBe(true)
      }
      vi.advanceTimersByTime(60)
      expect(waiting).toEqual([])
      expect(ended).toEqual([...ended].sort((a, b) => a - b))
    }),
  )
})

it('removes what is not in it without harm, and adds again what was removed', () => {
  const queue = new DeadlineQueue()
  const ended: string[] = []
  const [a, b] = [new Wait(10, () => ended.push('a')), new Wait(20, () => ended.push('b'))]
  queue.remove(a)
  queue.add(b)
  queue.remove(a)
  queue.add(a)
  queue.remove(b)
  queue.remove(b)
  queue.add(b)
  vi.advanceTimersByTime(30)
  expect(ended).toEqual(['a', 'b'])
})

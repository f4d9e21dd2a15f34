import { describe, expect, it } from 'vitest'
import { PendingEvents } from './pending-events.ts'

const now = (): number => performance.now()

describe('pending events', () => {
  it('are kept in the order in which they started, until they are removed', () => {
    const pending = new PendingEvents({ asyncTimeMs: 1_000, eventTimeMs: 100 })
    for (const index of [3, 1, 2]) pending.add(index, now(), 0)
    pending.remove([1, 9])
    expect([...pending.indexes()]).toEqual([3, 2])
    expect([pending.size, pending.has(1), pending.has(2)]).toEqual([2, false, true])
    pending.clear()
    expect(pending.size).toBe(0)
  })

  it('have as much running time left as they have not used, whatever they waited for', () => {
    const pending = new PendingEvents({ asyncTimeMs: 1_000, eventTimeMs: 100 })
    pending.add(0, now(), 30)
    pending.spend(0, 50)
    expect(pending.leftMs(0)).toBeLessThanOrEqual(20)
    expect(pending.leftMs(0)).toBeGreaterThan(0)
    pending.spend(0, 50)
    expect(pending.leftMs(0)).toBeLessThanOrEqual(0)
  })

  it('count as new when they are not pending: all time is left', () => {
    const pending = new PendingEvents({ asyncTimeMs: 1_000, eventTimeMs: 100 })
    pending.spend(5, 50)
    expect(pending.leftMs(5)).toBe(100)
  })

  it('are overdue when their promise has not settled in time, counted from the start', () => {
    const pending = new PendingEvents({ asyncTimeMs: 1_000, eventTimeMs: 100 })
    expect(pending.firstDueMs()).toBe(Number.POSITIVE_INFINITY)
    pending.add(0, now() - 1_001, 1)
    pending.add(1, now() - 400, 1)
    pending.add(2, now() - 2_000, 1)
    expect(pending.firstDueMs()).toBe(0)
    expect(pending.takeOverdue()).toEqual([0, 2])
    expect([...pending.indexes()]).toEqual([1])
    expect(pending.firstDueMs()).toBeGreaterThan(0)
    expect(pending.firstDueMs()).toBeLessThanOrEqual(600)
    expect(pending.takeOverdue()).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { KnownPast } from './known-past.ts'

const batch = (position: number, workspaceId = 'shop') => ({ workspaceId, lane: position % 32, position, events: 2 })

/** What a process knows of a database that was empty when it was started. */
function seen(max?: number): KnownPast {
  const past = new KnownPast(max)
  past.saw({ end: 0, changes: 0 })
  return past
}

describe('what a process knows the database to have', () => {
  it('is each batch that was stored, with its workspace, lane and number of events', () => {
    const past = seen()
    const added = [batch(4), batch(7, 'other'), batch(5)]
    for (const each of added) past.add(each)
    expect([...past.batches(2)]).toEqual([[batch(4), batch(7, 'other')], [batch(5)]])
    expect([past.highest, past.forgotten]).toEqual([7, 0])
  })

  it('is the newest batches only, with the highest position that is not remembered', () => {
    const past = seen(2)
    for (const position of [9, 3, 10, 11]) past.add(batch(position))
    expect([...past.batches(10)].flat().map(({ position }) => position)).toEqual([10, 11])
    expect(past.forgotten).toBe(9)
  })

  it('is not everything up to where the log ended when the process started, or when it noticed that another one was gone', () => {
    const past = new KnownPast()
    past.add(batch(3))
    expect(past.forgotten).toBe(Number.MAX_SAFE_INTEGER)
    past.saw({ end: 5, changes: 0 })
    expect(past.forgotten).toBe(5)
    past.mayLack()
    past.add(batch(7))
    expect(past.forgotten).toBe(Number.MAX_SAFE_INTEGER)
    past.saw({ end: 9, changes: 0 })
    past.saw({ end: 12, changes: 0 })
    expect(past.forgotten).toBe(9)
  })

  it('is also what it knew before it joined again', () => {
    const past = seen()
    past.add(batch(4))
    const since = new KnownPast()
    since.add(batch(5))
    past.addAll(since)
    expect([...past.batches(10)].flat()).toEqual([batch(4), batch(5)])
    expect([past.highest, past.forgotten]).toEqual([5, 0])
  })

  it('is ahead of a database whose log ends earlier, or that has fewer changes, and of no other', () => {
    const past = new KnownPast()
    past.saw({ end: 10, changes: 3 })
    past.add(batch(12))
    expect(past.isAhead({ end: 12, changes: 3 })).toBe(false)
    expect(past.isAhead({ end: 11, changes: 3 })).toBe(true)
    expect(past.isAhead({ end: 12, changes: 2 })).toBe(true)
  })
})

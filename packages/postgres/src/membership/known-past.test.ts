import { describe, expect, it } from 'vitest'
import { KnownPast } from './known-past.ts'

const batch = (position: number, workspaceId = 'shop') => ({ workspaceId, lane: position % 32, position, events: 2 })

describe('what a process knows the database to have', () => {
  it('is each batch that was stored, with its workspace, lane and number of events', () => {
    const past = new KnownPast()
    const added = [batch(4), batch(7, 'other'), batch(5)]
    for (const each of added) past.add(each)
    expect([...past.batches(2)]).toEqual([[batch(4), batch(7, 'other')], [batch(5)]])
    expect([past.highest, past.forgotten]).toEqual([7, 0])
  })

  it('is the newest batches only, with the highest position that is not remembered', () => {
    const past = new KnownPast(2)
    for (const position of [9, 3, 10, 11]) past.add(batch(position))
    expect([...past.batches(10)].flat().map(({ position }) => position)).toEqual([10, 11])
    expect(past.forgotten).toBe(9)
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

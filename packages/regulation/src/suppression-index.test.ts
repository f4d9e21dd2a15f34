import { describe, expect, it } from 'vitest'
import type { Regulation } from './regulation.ts'
import { createSuppressionIndex } from './suppression-index.ts'

const regulation = (id: string, userId: string, sourceIds: readonly string[] = []): Regulation => ({
  id,
  workspaceId: 'w1',
  canceled: false,
  regulationType: 'suppress',
  attributes: { userId },
  sourceIds,
  destinationIds: [],
  createdAt: '2026-01-01T00:00:00.000Z',
})

function indexOf(...regulations: readonly Regulation[]) {
  const index = createSuppressionIndex()
  for (const each of regulations) index.put(each)
  return index
}

describe('suppression index', () => {
  it('matches a regulated user at every source when no source is listed', () => {
    expect(indexOf(regulation('r1', 'u1')).matches('w1', 'any', 'u1')).toBe(true)
  })
  it('matches only at the listed sources', () => {
    const index = indexOf(regulation('r1', 'u1', ['s1']))
    expect([index.matches('w1', 's1', 'u1'), index.matches('w1', 's2', 'u1')]).toEqual([true, false])
  })
  it('compares ids as cleaned text, whatever type the event gives them', () => {
    const index = indexOf(regulation('r1', ' 456​'))
    expect([index.matches('w1', 's1', 456), index.matches('w1', 's1', '456 ')]).toEqual([true, true])
  })
  it('never matches an event without userId', () => {
    const index = indexOf(regulation('r1', 'u1'), regulation('r2', ' '))
    expect([undefined, null, '', ' '].map((userId) => index.matches('w1', 's1', userId))).toEqual(Array(4).fill(false))
  })
  it('keeps workspaces apart', () => {
    expect(indexOf(regulation('r1', 'u1')).matches('w2', 's1', 'u1')).toBe(false)
  })
  it('leaves another regulation on the same user in force when one is removed', () => {
    const index = indexOf(regulation('r1', 'u1'), regulation('r2', 'u1', ['s1']))
    index.remove(regulation('r1', 'u1'))
    expect([index.matches('w1', 's1', 'u1'), index.matches('w1', 's2', 'u1')]).toEqual([true, false])
    index.remove(regulation('r2', 'u1'))
    expect(index.matches('w1', 's1', 'u1')).toBe(false)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eachAlone } from './batch.ts'
import { batchPerKind } from './batch-per-kind.ts'
import type { BatchEntry } from './batch-rule.ts'

const entry = (index: number, userKey: string, type: string): BatchEntry => ({
  index,
  userKey,
  event: { type },
  requests: [],
})

/** Returns the groups that the rule was called with, as strings of user and kind. */
function groupsOf(...events: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = []
  const entries = events.map((text, index) => entry(index, text[0] as string, text.slice(1)))
  const rule = batchPerKind(
    ({ event }) => String(event['type']),
    (group) => {
      groups.push(group.map(({ index }) => events[index] as string))
      return eachAlone(group)
    },
  )
  rule(entries, {})
  return groups
}

describe('batchPerKind', () => {
  it('groups events of different users by kind', () => {
    expect(groupsOf('apage', 'btrack', 'cpage', 'dtrack')).toEqual([
      ['apage', 'cpage'],
      ['btrack', 'dtrack'],
    ])
  })

  it('never lets an event of a user overtake an earlier one', () => {
    expect(groupsOf('apage', 'atrack', 'apage', 'bpage', 'atrack')).toEqual([
      ['apage', 'bpage'],
      ['atrack'],
      ['apage'],
      ['atrack'],
    ])
  })

  it('loses nothing, never mixes kinds, and keeps each user in order', () => {
    const event = fc
      .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y', 'z'))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        const groups = groupsOf(...events)
        for (const group of groups) expect(new Set(group.map((text) => text.slice(1))).size).toBe(1)
        for (const user of ['a', 'b', 'c']) {
          const own = (text: string) => text.startsWith(user)
          expect(groups.flat().filter(own)).toEqual(events.filter(own))
        }
      }),
    )
  })
})

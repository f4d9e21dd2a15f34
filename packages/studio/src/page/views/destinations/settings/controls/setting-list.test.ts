import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Setting } from '../../records.ts'
import { memberOfRow, movedRow, rowWithMember, settingList, settingOfRows } from './setting-list.ts'

const pairs: Setting = {
  type: 'array',
  items: { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } },
}
const textOrList: Setting = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }
const byPlatform: Setting = { type: ['array', 'object'], items: { type: 'string' } }
const pair = pairs.items ?? {}

describe('a setting that is a list', () => {
  it('has a row for each element, and none while it is not set', () => {
    expect(settingList(pairs, [{ from: 'a', to: 'b' }])?.rows).toEqual([{ from: 'a', to: 'b' }])
    expect(settingList(pairs, undefined)?.rows).toEqual([])
  })

  it('has no rows where the value has another form, such as a list for each kind of source', () => {
    expect(settingList(byPlatform, { web: ['a'] })).toBeUndefined()
    expect(settingList(pairs, 'a text')).toBeUndefined()
    expect(settingList({ type: 'string' }, 'a')).toBeUndefined()
  })

  it('is a list of one for a text, and a text again when saved with one row', () => {
    expect(settingList(textOrList, 'email')?.rows).toEqual(['email'])
    expect(settingOfRows(textOrList, 'email', ['phone'])).toBe('phone')
    expect(settingOfRows(textOrList, 'email', ['email', 'phone'])).toEqual(['email', 'phone'])
    expect(settingOfRows(textOrList, ['email'], ['phone'])).toEqual(['phone'])
  })
})

describe('moving a row', () => {
  const lists = fc.array(fc.integer(), { maxLength: 8 })
  const place = fc.integer({ min: -2, max: 9 })

  it('keeps all rows, puts the moved one where it should be, and can be undone', () => {
    fc.assert(
      fc.property(lists, place, place, (rows, from, to) => {
        const moved = movedRow(rows, from, to)
        expect(moved.toSorted()).toEqual(rows.toSorted())
        const isInside = [from, to].every((each) => each >= 0 && each < rows.length)
        if (isInside) expect(moved[to]).toBe(rows[from])
        expect(movedRow(moved, to, from)).toEqual(rows)
      }),
    )
  })
})

describe('a member of a row', () => {
  const name = fc.constantFrom('from', 'to')
  const rows = fc.oneof(
    fc.record({ from: fc.string(), to: fc.string(), other: fc.integer() }, { requiredKeys: [] }),
    fc.string(),
  )

  it('is what was set last, and the others stay as they are', () => {
    fc.assert(
      fc.property(rows, name, fc.string(), (row, member, value) => {
        const changed = rowWithMember(row, member, pair, value)
        expect(memberOfRow(changed, member, pair)).toBe(value)
        for (const other of ['from', 'to'].filter((each) => each !== member))
          expect(memberOfRow(changed, other, pair)).toEqual(memberOfRow(row, other, pair))
      }),
    )
  })

  it('is gone when it was emptied', () => {
    expect(rowWithMember({ from: 'a', to: 'b' }, 'to', pair, undefined)).toEqual({ from: 'a' })
  })

  it('is the first one where the row is a text in place of an object', () => {
    expect(memberOfRow('C0002', 'from', pair)).toBe('C0002')
    expect(memberOfRow('C0002', 'to', pair)).toBeUndefined()
    expect(rowWithMember('C0002', 'to', pair, 'x')).toEqual({ from: 'C0002', to: 'x' })
  })
})

import { describe, expect, it } from 'vitest'
import { createRowMaker } from '../rows/create-row-maker.ts'
import { sharedColumns } from './shared-columns.ts'

const suffixed = /^na_e_[0-9a-f]{8}$/

describe('keys with the same column', () => {
  it('are found, and no others', () => {
    expect(sharedColumns(['type', 'properties', 'properties.na!e', 'properties.price', 'context.na!e'])).toEqual({})
    const found = sharedColumns(['properties.na!e', 'properties.na%e', 'properties.a.na!e', 'traits.na!e'])
    expect(found).toEqual({
      'properties.na!e': expect.stringMatching(suffixed),
      'properties.na%e': expect.stringMatching(suffixed),
    })
  })

  it('get the columns that rows have', () => {
    const settings = { keepsNames: true, keepsLongNames: true }
    const make = createRowMaker({ provider: 'postgres', settings, now: () => 0, uuid: () => 'uuid' })
    const event = { type: 'track', event: 'A', messageId: 'm', properties: { 'na!e': 1, 'na%e': 2 } }
    const made = make(event, {})
    const [, row] = made.ok ? made.rows : []
    const column = sharedColumns(['properties.na!e', 'properties.na%e'])['properties.na%e'] ?? ''
    expect([row?.data['na_e'], row?.data[column]]).toEqual([1, 2])
  })
})

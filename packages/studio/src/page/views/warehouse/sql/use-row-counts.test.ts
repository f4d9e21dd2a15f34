import { describe, expect, it } from 'vitest'
import { rowCountSql } from './use-row-counts.ts'

describe('the query for the rows of tables', () => {
  it('counts each table, whatever its name has', () => {
    expect(
      rowCountSql([
        { schema: 'shop', name: 'tracks' },
        { schema: 'shop', name: `o'clock "x"` },
      ]),
    ).toBe(
      `select 'shop.tracks' as name, count(*) as total from "shop"."tracks" union all select 'shop.o''clock "x"' as name, count(*) as total from "shop"."o'clock ""x"""`,
    )
  })

  it('is empty without tables, and counts at most two hundred', () => {
    expect(rowCountSql([])).toBe('')
    const many = Array.from({ length: 300 }, (_, n) => ({ schema: 's', name: `t${n}` }))
    expect(rowCountSql(many).split('union all')).toHaveLength(200)
  })
})

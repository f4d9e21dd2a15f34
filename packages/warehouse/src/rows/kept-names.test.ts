import type { JsonObject } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { speltKey } from '../naming/spelt-key.ts'
import { createRowMaker } from './create-row-maker.ts'
import type { RowSettings } from './row-settings.ts'

function rowsOf(
  event: string,
  properties: JsonObject,
  settings: RowSettings = { keepsNames: true, keepsLongNames: true },
) {
  const make = createRowMaker({ provider: 'postgres', settings, now: () => 0, uuid: () => 'uuid' })
  const made = make({ type: 'track', event, messageId: 'm', properties }, {})
  return made.ok ? made.rows : []
}

/** Names and values of the columns that the properties have made, which are numbers here. */
function numbersOf(properties: JsonObject, settings?: RowSettings): Readonly<Record<string, unknown>> {
  const [, row] = rowsOf('A', properties, settings)
  return Object.fromEntries(Object.entries(row?.data ?? {}).filter(([, value]) => typeof value === 'number'))
}

describe('names of keys', () => {
  it('lose no value of an object, whatever the keys', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'na!e',
        'na%e',
        'naE',
        'a',
        'A',
        'a_b',
        'b',
        '購入',
        '完了',
        'Цена',
        'Ценá',
        '🎉',
        '$',
        '1',
        'é',
        'e',
        'xmin',
        '_xmin',
      ),
      fc.constantFrom(`${'k'.repeat(70)}a`, `${'k'.repeat(70)}b`, 'order', '_order', 'constructor', '', ' '),
      fc.string({ maxLength: 5 }),
    )
    const tree = fc.dictionary(part, fc.oneof(fc.constant(1), fc.dictionary(part, fc.constant(1), { maxKeys: 4 })), {
      maxKeys: 12,
    })
    fc.assert(
      fc.property(tree, (given) => {
        let count = 0
        const numbered = JSON.parse(JSON.stringify(given), (_, value) =>
          typeof value === 'number' ? ++count : value,
        ) as JsonObject
        // A member that is named like a standard column is left out.
        fc.pre(!/"(?:_*id|channel|event|timestamp)"/i.test(JSON.stringify(given)))
        expect(Object.values(numbersOf(numbered)).sort()).toEqual(Array.from({ length: count }, (_, n) => n + 1).sort())
      }),
    )
  })

  it('get a hash when another key of the object has them, and only then', () => {
    expect(numbersOf({ 'na!e': 1, 'na%e': 2 })).toEqual({
      na_e: 1,
      [expectedName('na_e', { 'na!e': 1, 'na%e': 2 })]: 2,
    })
    expect(numbersOf({ 'na%e': 2 })).toEqual({ na_e: 2 })
    expect(numbersOf({ a: { b: 1 }, a_b: 2 })).toMatchObject({ a_b: 1 })
    expect(numbersOf({ 'na!e': 1, 'na%e': 2 }, {})).toEqual({ na_e: 2 })
  })

  it('are spelt in other alphabets, with a digest', () => {
    expect(speltKey('Покупка')).toMatch(/^pokupka_[a-p]{10}$/)
    expect(speltKey('Τιμή')).toMatch(/^timi_[a-p]{10}$/)
    expect(speltKey('購入完了')).toMatch(/^name_[a-p]{10}$/)
    expect(speltKey('Заказ 5')).toMatch(/^zakaz 5_[a-p]{10}$/)
    expect(speltKey('購入 A')).toMatch(/^ {3}a_[a-p]{10}$/)
    expect(speltKey('Заказ VIP')).toMatch(/^zakaz vip_[a-p]{10}$/)
    for (const kept of ['naïve', 'version2.0', '1', '2.5', 'Grüße']) expect(speltKey(kept)).toBe(kept)
  })

  it('give each event of another alphabet a table of its own', () => {
    const tables = ['購入完了', '購入開始', 'Покупка', '🎉', '購入 A', '中止 A'].map(
      (event) => rowsOf(event, {})[1]?.table,
    )
    expect(new Set(tables).size).toBe(6)
    for (const table of tables) expect(table).toMatch(/^(?:name|pokupka|a)_[a-p]{10}$/)
    const [tracks] = rowsOf('購入完了', {})
    expect(tracks?.data).toMatchObject({ event: tables[0], event_text: '購入完了' })
    expect(rowsOf('購入完了', {}, {})).toHaveLength(1)
    expect(rowsOf('  ', {})).toHaveLength(1)
  })

  it('of system columns get _ in front', () => {
    expect(numbersOf({ xmin: 1, CTID: 2, fts_doc_id: 3 })).toEqual({ _xmin: 1, _ctid: 2, _fts_doc_id: 3 })
    expect(numbersOf({ xmin: 1 }, {})).toEqual({ xmin: 1 })
  })
})

function expectedName(beginning: string, properties: JsonObject): string {
  return Object.keys(numbersOf(properties)).find((name) => name !== beginning && name.startsWith(beginning)) ?? ''
}

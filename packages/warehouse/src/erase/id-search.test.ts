import { identifierText } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { duckdbErasure } from '../engines/duckdb/duckdb-erasure.ts'
import { castValue } from '../evolve/cast-value.ts'
import { type IdFamily, idFamilyOf, storedId } from '../ids/id-family.ts'
import { notOutline, unclean } from './find-ids.ts'
import { idLiteral } from './id-literal.ts'

const literal = (id: string, family: IdFamily, native = '') => idLiteral(id, family, native, duckdbErasure)
const families: readonly IdFamily[] = ['integer', 'decimal', 'float', 'boolean', 'bit', 'time', 'date', 'uuid']

/** Ids as events may have them: texts with what cleaning removes, numbers and booleans. */
const anyId = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom(' ', '\t', '\u200b', '\ufeff', '\u00ad', '\u0301', 'é', 'e', 'K', '7', '@', '.', '\0'), {
      maxLength: 8,
    })
    .map((parts) => parts.join('')),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
)

describe('the search for ids', () => {
  it('reads every text that is a wanted id after cleaning', () => {
    const outline = (text: string): string => text.replaceAll(new RegExp(notOutline, 'g'), '')
    fc.assert(
      fc.property(anyId, (given) => {
        const text = typeof given === 'string' ? given : JSON.stringify(given)
        const id = identifierText(given)
        // As the condition in SQL has it.
        expect(text === id || (new RegExp(unclean).test(text) && outline(text) === outline(id))).toBe(true)
      }),
    )
  })

  it('reads every text in another form of Unicode that is a wanted id', () => {
    const outline = (text: string): string => text.replaceAll(new RegExp(notOutline, 'g'), '')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('NFC', 'NFD'), (id, form) => {
        const text = id.normalize(form)
        expect(text === id || (new RegExp(unclean).test(text) && outline(text) === outline(id))).toBe(true)
      }),
    )
  })

  it('finds numbers and booleans in columns of their types, by the text that is their id', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()), (number) => {
        const id = identifierText(number)
        expect(Number(literal(id, 'float'))).toBe(number === 0 ? 0 : number)
        if (Number.isSafeInteger(number)) expect(Number(literal(id, 'integer'))).toBe(number === 0 ? 0 : number)
        expect(storedId(String(number), 'float')).toBe(id)
      }),
    )
    expect([literal('true', 'boolean'), literal('false', 'bit'), literal('1', 'boolean')]).toEqual([
      'true',
      '0',
      undefined,
    ])
  })

  it('never takes one id for another in a column of any type', () => {
    const likely = fc.constantFrom(
      '42',
      '042',
      '42.0',
      '4.2e1',
      ' 42',
      '-0',
      '0',
      '1',
      'true',
      'TRUE',
      '1e21',
      '1e+21',
      '42abc',
    )
    fc.assert(
      fc.property(fc.oneof(anyId, likely), fc.oneof(anyId, likely), fc.constantFrom(...families), (a, b, family) => {
        const [one, other] = [identifierText(a), identifierText(b)]
        // Times and uuids lose how they were written.
        if (one === other || family === 'time' || family === 'uuid') return
        const found = literal(one, family)
        expect(found === undefined || found !== literal(other, family)).toBe(true)
      }),
    )
  })

  it('puts nothing into SQL that would need quoting', () => {
    fc.assert(
      fc.property(anyId, fc.constantFrom(...families), (given, family) => {
        const sql = literal(identifierText(given), family) ?? ''
        expect(sql).toMatch(/^(?:[\w.+-]*|(?:timestamp|date) '[\d :.-]+'|'[\da-f-]+')$/)
      }),
    )
  })

  it('finds what a load stored, whatever type the column got', () => {
    const columns = [
      { type: 'int', native: 'BIGINT' },
      { type: 'float', native: 'DOUBLE' },
      { type: 'boolean', native: 'BOOLEAN' },
      { type: 'string', native: 'VARCHAR' },
    ] as const
    fc.assert(
      fc.property(anyId, fc.constantFrom(...columns), (given, column) => {
        const text = typeof given === 'string' ? given : JSON.stringify(given)
        const cast = castValue(text, 'string', column)
        const id = identifierText(given)
        if (!cast.ok || identifierText(cast.value) !== id) return
        const family = idFamilyOf(column) ?? 'text'
        if (family === 'text') expect(storedId(String(cast.value), family)).toBe(id)
        else expect(literal(id, family)).toBe(String(cast.value))
      }),
    )
  })

  it('reads decimal numbers as the id that their JSON text is', () => {
    const read = ['42.00', '1.50', '0.0', '-7.10', '100', '3'].map((text) => storedId(text, 'decimal'))
    expect(read).toEqual(['42', '1.5', '0', '-7.1', '100', '3'])
  })

  const natives: readonly (readonly [native: string, family: IdFamily | undefined])[] = [
    ['numeric(10,2)', 'decimal'],
    ['DECIMAL(18,3)', 'decimal'],
    ['bigint unsigned', 'integer'],
    ['HUGEINT', 'integer'],
    ['Nullable(UInt64)', 'integer'],
    ['LowCardinality(Nullable(FixedString(8)))', 'text'],
    ['Nullable(UInt8)', 'bit'],
    ['tinyint(1)', 'bit'],
    ['tinytext', 'text'],
    ['char(36)', 'text'],
    ['uuid', 'uuid'],
    ['date', 'date'],
    ['TIMESTAMP_NS', 'time'],
    ['time without time zone', undefined],
    ['interval', undefined],
    ['point', undefined],
    ['bytea', undefined],
    ['Array(String)', undefined],
    ['string collate UTF8_LCASE', undefined],
    ['inet', undefined],
  ]
  for (const [native, family] of natives)
    it(`${family ? `searches columns of type ${native} as ${family}` : `cannot search columns of type ${native}`}`, () => {
      expect(idFamilyOf({ type: undefined, native })).toBe(family)
    })
})

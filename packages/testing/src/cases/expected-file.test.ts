import type { JsonValue } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactRequest, keepForm } from './expected-file.ts'
import { matches } from './matches.ts'

const leaf = fc.oneof(fc.boolean(), fc.nat(3), fc.constantFrom('a', 'b', null))
const { value: json } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ),
}))
const withPlaceholders = json.map((value) =>
  JSON.parse(
    JSON.stringify(value).replaceAll('"a":null', '"a":{"$any":"value"}').replaceAll('"b":1', '"b":{"$any":"number"}'),
  ),
) as fc.Arbitrary<JsonValue>

describe('an update', () => {
  it('writes the actual results, whatever was expected before', () => {
    fc.assert(
      fc.property(withPlaceholders, json, (before, actual) => {
        expect(matches(keepForm(before, actual), actual)).toBe(true)
      }),
    )
  })

  it('changes nothing when the results are as expected', () => {
    fc.assert(
      fc.property(withPlaceholders, (before) => {
        const actual = JSON.parse(
          JSON.stringify(before).replaceAll('{"$any":"value"}', '"x"').replaceAll('{"$any":"number"}', '7'),
        ) as JsonValue
        expect(JSON.stringify(keepForm(before, actual))).toBe(JSON.stringify(before))
      }),
    )
  })
})

describe('a request as it is written', () => {
  it('omits only members that are empty or always the same', () => {
    const full = {
      ...{ version: '1', type: 'REST', userId: '', method: 'POST', endpoint: '', headers: {}, params: {}, files: {} },
      body: { JSON: {}, XML: {}, JSON_ARRAY: {}, FORM: { a: {} } },
    }
    expect(compactRequest(full)).toEqual({ method: 'POST', endpoint: '', body: { FORM: { a: {} } } })
    const sink = { ...full, type: 'SINK', userId: 'u', body: { $any: 'value' } }
    expect(compactRequest(sink)).toEqual({
      type: 'SINK',
      userId: 'u',
      method: 'POST',
      endpoint: '',
      body: { $any: 'value' },
    })
  })
})

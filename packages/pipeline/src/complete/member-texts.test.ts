import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementTexts, memberTexts } from './member-texts.ts'

/** JSON texts of a value as people write them: with blanks, escaped letters, and numbers in other forms. */
const textOf = (value: unknown, indent: number | string): string => JSON.stringify(value, null, indent)
const indent = fc.constantFrom(0, 1, '\t', '\r\n ')
const value = fc.oneof(fc.jsonValue(), fc.constantFrom('"', '\\', '\\"', '}],[', '", "a": [', '\\\\"'))

describe('the texts of the members of an object', () => {
  it('are the JSON of its members, whatever is in them', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('batch', 'sentAt', '__proto__', 'a b', ''), value),
        indent,
        (of, by) => {
          const texts = memberTexts(` ${textOf(of, by)}\n`)
          expect(Object.keys(texts ?? {})).toEqual(Object.keys(of))
          for (const [name, text] of Object.entries(texts ?? {})) expect(JSON.parse(text)).toEqual(of[name])
        },
      ),
    )
  })

  it('are not known where a name is written twice, or escaped', () => {
    expect(memberTexts('{"batch":[1],"batch":[2]}')).toBeUndefined()
    expect(memberTexts('{"batch":[1],"b\\u0061tch":[2]}')).toBeUndefined()
    expect(memberTexts('{"a\\"b":1}')).toBeUndefined()
    expect(memberTexts('{"a":{"b":1,"b":2}}')).toEqual({ a: '{"b":1,"b":2}' })
  })
})

describe('the texts of the elements of a list', () => {
  it('are the JSON of its elements, whatever is in them', () => {
    fc.assert(
      fc.property(fc.array(value), indent, (list, by) => {
        const texts = elementTexts(textOf(list, by))
        expect(texts.map((text) => JSON.parse(text))).toEqual(JSON.parse(textOf(list, by)))
      }),
    )
  })
})

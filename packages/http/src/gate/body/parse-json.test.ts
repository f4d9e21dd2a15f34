import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ParsedJson, parseJson, parseJsonInParts } from './parse-json.ts'

const limits = { valuesMax: 600_000, depthMax: 512, keysMax: 1_000 }
const parse = (text: string) => parseJson(Buffer.from(text), limits)
const long = 'ü'.repeat(70_000)

describe('parsing the JSON of a body', () => {
  it('returns what JSON.parse returns, for short and for long texts', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, isLong) => {
        const text = JSON.stringify(isLong ? [value, long] : value)
        expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) })
      }),
    )
  })

  it('refuses what is not JSON', () => {
    for (const text of ['', '{', '"', `"${long}`, `{"a":"${long}\\"}`, `${long}]`])
      expect(parse(text)).toEqual({ ok: false, code: 'bodyInvalidJson' })
  })

  it('does not count what is inside strings, whatever is escaped there', () => {
    const text = JSON.stringify([`${'[{,'.repeat(400_000)}\\"`, '\\', `\\"${'['.repeat(1_000)}`])
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) })
  })

  it('refuses millions of values and deep nesting before it parses them, and says why', () => {
    const many = `[${'{},'.repeat(400_000)}{}]`
    expect(parse(many)).toEqual({
      ok: false,
      code: 'bodyTooLarge',
      detail: expect.stringContaining('600000 values'),
    })
    for (const deep of ['['.repeat(2_000_000), `${'[{"a":'.repeat(50_000)}`])
      expect(parse(deep)).toEqual({
        ok: false,
        code: 'bodyTooDeep',
        detail: expect.stringContaining('512 levels'),
      })
  })
})

describe('parsing a body with a list of events in parts', () => {
  /** Returns the result, and in how many parts it was parsed. */
  function inParts(text: string): { readonly result: ParsedJson; readonly parts: number } {
    const steps = parseJsonInParts(Buffer.from(text), limits)
    for (let parts = 1; ; parts += 1) {
      const step = steps.next()
      if (step.done) return { result: step.value, parts }
    }
  }
  const manyNames = (count: number, prefix = '') =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}name ${i}`, i]))

  it('returns what JSON.parse returns, whatever is around the list and in it', () => {
    const padding = fc.constantFrom(long, '"}],[', '\\', manyNames(700, 'a'), manyNames(700, 'b'), manyNames(700, 'c'))
    const body = fc.dictionary(
      fc.constantFrom('batch', '__proto__', 'more', 'a"b'),
      fc.oneof(fc.array(fc.oneof(fc.jsonValue(), padding), { maxLength: 8 }), fc.jsonValue(), padding),
    )
    fc.assert(
      fc.property(body, fc.boolean(), (value, isSpaced) => {
        const text = JSON.stringify(value, null, isSpaced ? 1 : 0)
        const { result } = inParts(text)
        if (!result.ok) expect(result.code).toBe('bodyTooLarge')
        else expect(JSON.stringify(result.value)).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  it('refuses what JSON.parse refuses, wherever a character is missing or wrong', () => {
    const text = JSON.stringify({ a: 1, batch: [manyNames(900, 'a'), long, 3, long, [4], {}, long], b: { c: 5 } })
    const places = [...text.matchAll(/[[\]{},:"]/g)].map(({ index }) => index)
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.constantFrom('', '[', ']', '{', '}', ',', ':', '"'),
        (place, other) => {
          const wrong = text.slice(0, place) + other + text.slice(place + 1)
          let expected: ParsedJson = { ok: false, code: 'bodyInvalidJson' }
          try {
            expected = { ok: true, value: JSON.parse(wrong) }
          } catch {}
          expect(inParts(wrong).result).toEqual(expected)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('counts different names for each event, so that a body may have as many as its events need', () => {
    const batch = Array.from({ length: 100 }, (_, i) => manyNames(i % 10 === 0 ? 1_000 : 300, `${i} `))
    const { result, parts } = inParts(JSON.stringify({ batch }))
    expect(result).toEqual({ ok: true, value: { batch } })
    expect(parts).toBeGreaterThan(9)
    // What cannot be cut is refused.
    const detail = expect.stringContaining('1000 different names')
    const refused = { ok: false, code: 'bodyTooLarge', detail }
    expect(inParts(JSON.stringify({ batch: [manyNames(1_001), long, long, long, long] })).result).toEqual(refused)
    expect(inParts(JSON.stringify({ batch: { a: batch } })).result).toEqual(refused)
    expect(inParts(JSON.stringify({ batch, other: [] })).result).toEqual(refused)
  })

  it('lets the last of several members with a name win', () => {
    const list = JSON.stringify([long, long, long, long])
    expect(inParts(`{"batch":${list},"batch":5}`).result).toEqual({ ok: true, value: { batch: 5 } })
    expect(inParts(`{"batch":5,"batch":${list}}`).result).toEqual({ ok: true, value: { batch: JSON.parse(list) } })
  })
})

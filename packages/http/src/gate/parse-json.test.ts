import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from './parse-json.ts'

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

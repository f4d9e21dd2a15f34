import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fallbackOf, resolveSettings } from './resolve-settings.ts'

const event = { type: 'track', context: { account: 'A1', other: 1 }, blank: '' }

describe('resolveSettings', () => {
  it('uses the value of the event and removes it from the event', () => {
    const settings = { list: [{ id: '{{ event.context.account || "none" }}' }, 'plain'] }
    expect(resolveSettings(event, settings)).toStrictEqual({
      settings: { list: [{ id: 'A1' }, 'plain'] },
      event: { type: 'track', context: { other: 1 }, blank: '' },
    })
    expect(event.context.account).toBe('A1')
  })

  for (const path of ['missing.path', 'blank', 'event.nothing']) {
    it(`uses the default when ${path} has no value, and leaves the event unchanged`, () => {
      const { settings, event: left } = resolveSettings(event, { id: `{{ ${path} || "12" }}` })
      expect(settings).toEqual({ id: '12' })
      expect(left).toBe(event)
    })
  }

  it('keeps the type of an event', () => {
    expect(resolveSettings(event, { kind: '{{ type || "none" }}' })).toEqual({ event, settings: { kind: 'track' } })
  })

  it('returns settings without templates unchanged', () => {
    const settings = { text: 'Hello {{ name }}', both: 'a {{ b || "c" }}' }
    expect(resolveSettings(event, settings)).toEqual({ event, settings })
  })
})

describe('the syntax of a template', () => {
  /** The same syntax as a regular expression, which is too slow for untrusted input. */
  const form = /^\s*\{\{\s*(?:event\.)?([^\s|{}]+)\s*\|\|\s*(.*?)\s*\}\}\s*$/

  it('is a path and a default between double braces', () => {
    const part = fc.constantFrom('{', '}', '{{', '}}', '||', '|', ' ', '\n', 'a', '.', 'event.', '"', "'", '\t')
    const texts = fc.oneof(
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.array(part, { maxLength: 6 }).map((parts) => `{{a||${parts.join('')}}}`),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const expected = form.exec(text)?.[2]?.replace(/^(["'])(.*)\1$/, '$2')
        expect(fallbackOf(text)).toBe(expected)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is parsed in linear time', () => {
    // Measured: 3 ms; the expression above would take hours.
    for (const text of [`{{a||${' '.repeat(200_000)}x`, `{{${'a'.repeat(200_000)}`, '{{a||}}'.repeat(30_000)])
      expect(() => fallbackOf(text)).toCostAtMost(500)
  })
})

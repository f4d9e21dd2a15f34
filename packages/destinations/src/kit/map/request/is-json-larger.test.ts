import type { JsonValue } from '@sluice/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isJsonLarger } from './is-json-larger.ts'

it('agrees with the size of the JSON text at every limit', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(400), (value, bytesMax) => {
      const bytes = Buffer.byteLength(JSON.stringify(value))
      expect(isJsonLarger(value as JsonValue, bytesMax)).toBe(bytes > bytesMax)
      expect(isJsonLarger(value as JsonValue, bytes)).toBe(false)
      expect(isJsonLarger(value as JsonValue, bytes - 1)).toBe(true)
    }),
  )
})

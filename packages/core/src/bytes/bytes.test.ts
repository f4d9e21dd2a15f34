import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as node from './bytes.node.ts'
import * as portable from './bytes.portable.ts'
import type { BytesPort } from './bytes-port.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
)
const encoded = fc.oneof(fc.base64String(), fc.string({ unit: fc.constantFrom(...'aZ09+/-_= \nfFgé!') }))
const bytes = fc.uint8Array({ maxLength: 70 })
const encodings = ['utf8', 'latin1', 'hex', 'base64', 'base64url'] as const

/** Checks that a function of both versions gives the same. */
function same(results: (port: BytesPort) => unknown): void {
  expect(results(portable)).toEqual(results(node))
}

it('converts any text to the same bytes on every platform, lone surrogates and malformed text included', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('utf8', 'latin1'), (each, encoding) => {
      same((port) => [...port.bytesOf(each, encoding)])
      same((port) => port.utf8Length(each))
    }),
  )
  fc.assert(
    fc.property(encoded, fc.constantFrom(...encodings), (each, encoding) => {
      same((port) => [...port.bytesOf(each, encoding)])
    }),
  )
})

it('converts any bytes to the same text on every platform, byte order marks and malformed UTF-8 included', () => {
  const withMark = fc.oneof(
    bytes,
    bytes.map((each) => Uint8Array.of(0xef, 0xbb, 0xbf, ...each)),
  )
  fc.assert(
    fc.property(withMark, fc.constantFrom(...encodings), (each, encoding) => {
      same((port) => port.textOf(each, encoding))
    }),
  )
})

it('compares and finds bytes alike on every platform, wherever they begin in memory', () => {
  const few = fc.uint8Array({ max: 2, maxLength: 40 })
  fc.assert(
    fc.property(few, fc.uint8Array({ max: 2, minLength: 1, maxLength: 3 }), fc.nat(5), (all, part, from) => {
      same((port) => port.indexOfBytes(all, part, from))
      const shifted = Uint8Array.of(0, ...all).subarray(1)
      const start = Math.min(from, all.length)
      const length = all.length - start
      same((port) => [port.areSame(all, start, shifted, 0, length), port.areSame(all, start, shifted, start, length)])
    }),
  )
})

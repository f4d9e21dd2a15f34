import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decoder } from './decoder.ts'
import type { AnswerSize, DocumentMeter } from './document-meter.ts'
import { Encoder } from './encoder.ts'
import { Meter } from './meter.ts'
import { objectFormatVersion, tag } from './object-format.ts'
import { textCrossing } from './text-crossing.ts'

const meter = new Meter()
const decoder = new Decoder()
const roomy = { depthMax: 1_000, valuesMax: 1_000_000, charsMax: 1e9 }

function encoded(value: unknown): Uint8Array {
  const encoder = new Encoder()
  encoder.append(value)
  return encoder.take()
}
const bytesOfJson = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
const document = (...value: number[]): Uint8Array => Uint8Array.from([objectFormatVersion, 0, ...value])
/** A document that begins with an array buffer of `length` bytes, followed by the given bytes. */
const uint8Kind = 2

describe('the meter agrees with the decoder', () => {
  const same = (bytes: Uint8Array): void => {
    const decoded = decoder.decode(bytes, 0, bytes.length, roomy)
    const size = meter.value(bytes)
    if (!decoded.ok) return
    if (size === undefined) throw new Error('not measured')
    if (size.jsonBytes !== -1) expect(size.jsonBytes).toBe(bytesOfJson(decoded.value))
    const within = (valuesMax: number) => decoder.decode(bytes, 0, bytes.length, { ...roomy, valuesMax }).ok
    expect([within(size.values), within(size.values - 1)]).toEqual([true, false])
    // The quick check may only err by asking for an unneeded measurement.
    expect(meter.mayExceed(bytes, size.jsonBytes - 1)).toBe(true)
  }
  it('for any JSON value, with text of every kind', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\0', '\n', '"', '\\', 'é', 'ж', '\ud800', '\udc00', '\u2028'),
        fc.string({ unit: 'binary', maxLength: 2 }),
      ),
    })
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        text,
        fc.double(),
        fc.integer(),
        fc.constantFrom(null, true, false, -0, 1e21, 2 ** 31),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('any'), { maxLength: 5 }),
      object: fc.dictionary(fc.oneof(text, fc.constantFrom('1', '4294967294', '01')), tie('any'), { maxKeys: 5 }),
    })).any
    fc.assert(
      fc.property(value, (json) => same(encoded(json))),
      { numRuns: 500 },
    )
  })
  it('for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => same(document(...bytes))),
      { numRuns: 3_000 },
    )
  })
  it('for shared objects, dates, boxed values, buffers and typed arrays', () => {
    const buffer = [tag.arrayBuffer, 3, 3, 1, 20, 255]
    for (const value of [
      [tag.array, 3, tag.array, 2, tag.int, 2, tag.int, 4, tag.reference, 1, tag.reference, 1],
      [tag.array, 2, tag.date, tag.int, 2, tag.reference, 1],
      [tag.array, 2, tag.date, tag.float, ...new Uint8Array(new Float64Array([-7e13]).buffer), tag.reference, 1],
      [tag.array, 2, tag.boxed, tag.string, 2, 10, tag.reference, 1],
      [tag.array, 2, ...buffer, tag.reference, 1],
      [tag.array, 2, tag.typedArray, uint8Kind, 3, 0, ...buffer, tag.typedArray, uint8Kind, 2, 1, tag.reference, 2],
      [tag.array, 2, tag.undefined, tag.null],
    ])
      same(document(...value))
  })
})

describe('the meter', () => {
  const doubling = (levels: number): Uint8Array => {
    const value: number[] = [tag.array, levels, tag.array, 0]
    for (let level = 1; level < levels; level += 1) value.push(tag.array, 2, tag.reference, level, tag.reference, level)
    return document(...value)
  }
  it('quickly measures a document that expands to 2^40 values', () => {
    expect(meter.value(doubling(40))?.values).toBeGreaterThan(2 ** 40)
    expect(meter.mayExceed(doubling(40), 4e6)).toBe(true)
  })
  it('examines a limited number of elements of many arrays over one buffer', () => {
    const length = 2_000_000
    const count = [128 | (length & 127), 128 | ((length >> 7) & 127), length >> 14]
    const first = [tag.typedArray, uint8Kind, ...count, 0, tag.arrayBuffer, ...count, ...count]
    const more = Array.from({ length: 1_000 }, () => [tag.typedArray, uint8Kind, ...count, 0, tag.reference, 2]).flat()
    const head = document(tag.array, 128 | 105, 7, ...first)
    const bytes = new Uint8Array(head.length + length + more.length)
    bytes.set(head)
    bytes.set(more, head.length + length)
    // Examining all elements would be 2,000 million steps.
    expect(() => expect(meter.value(bytes)?.values).toBe(1 + 1_001 * (length + 1))).toCostAtMost(1_000)
  })
  it('detects texts that are long only because of their keys', () => {
    const long = 'k'.repeat(20_000)
    const bytes = encoded(Array.from({ length: 5_000 }, () => ({ [long]: 1 })))
    expect(bytes.length).toBeLessThan(50_000)
    expect(meter.mayExceed(bytes, 4e6)).toBe(true)
    expect(meter.value(bytes)?.jsonBytes).toBeGreaterThan(1e8)
    expect(meter.mayExceed(encoded(Array.from({ length: 500 }, (_, n) => ({ short: n }))), 4e6)).toBe(false)
  })
  it('leaves circles, BigInts and deep values to the decoder, which explains them', () => {
    expect(meter.value(document(tag.array, 1, tag.reference, 0))).toBeUndefined()
    expect(meter.value(document(tag.bigint, 1, 1))).toBeUndefined()
    expect(
      meter.value(document(...Array.from({ length: 5_000 }, () => [tag.array, 1]).flat(), tag.null)),
    ).toBeUndefined()
    expect(meter.value(Uint8Array.of())).toBeUndefined()
  })
})

describe('answers', () => {
  const crossings: readonly (readonly [string, DocumentMeter, (value: unknown) => Uint8Array])[] = [
    ['binary', meter, encoded],
    ['text', textCrossing.createMeter(), (value) => Buffer.from(JSON.stringify(value))],
  ]
  const outputs = [{ a: 'é' }, { list: [1, null, '\u0001'] }]
  const answer = [7, '"a line"', 0, ...outputs]
  const sizeWith = (keyBytes: number): AnswerSize => ({
    kind: 0,
    outputs: { jsonBytes: bytesOfJson(outputs), values: 7 },
    largest: { jsonBytes: bytesOfJson(outputs[1]), values: 5 },
    keyBytes,
  })
  for (const [name, own, write] of crossings) {
    const read = (bytes: Uint8Array | undefined): unknown => {
      if (bytes === undefined) return undefined
      const decoded =
        name === 'text' ? JSON.parse(Buffer.from(bytes).toString()) : decoder.decode(bytes, 0, bytes.length, roomy)
      return name === 'text' ? decoded : decoded.value
    }
    it(`are measured without index and log (${name})`, () => {
      // The format, the number of keys, and the two keys with their lengths. JSON text has no list of keys.
      const keyBytes = name === 'binary' ? 1 + 1 + 2 + 5 : 0
      const size = sizeWith(keyBytes)
      expect(own.answer(write(answer))).toEqual(size)
      expect(own.answers(write([answer, [8, '', 2]]))).toEqual([
        size,
        { kind: 2, outputs: { jsonBytes: 2, values: 0 }, largest: { jsonBytes: 0, values: 0 }, keyBytes },
      ])
    })
    it(`can lose their log, or all but their log (${name})`, () => {
      expect(read(own.withoutLog(write(answer)))).toEqual([7, '"[log limit reached]"', 0, ...outputs])
      expect(read(own.logOnly(write(answer), 2))).toEqual([7, '"a line"', 2])
    })
    it(`that are malformed are not measured (${name})`, () => {
      for (const none of [{}, [1], ['x', 7], 5]) expect(own.answer(write(none))).toBeUndefined()
      expect(own.logOnly(write({}), 2)).toBeUndefined()
    })
  }
})

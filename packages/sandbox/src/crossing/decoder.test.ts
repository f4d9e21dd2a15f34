import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decoder } from './decoder.ts'
import { Encoder } from './encoder.ts'
import { objectFormatVersion, tag } from './object-format.ts'

const limits = { depthMax: 1_000, valuesMax: 20_000, charsMax: 4 * 1024 * 1024 }
const decoder = new Decoder()
const decodeAll = (bytes: readonly number[]) => decoder.decode(Uint8Array.from(bytes), 0, bytes.length, limits)
const decode = (...bytes: number[]) => decodeAll(bytes)
const document = (...value: number[]) => decodeAll([objectFormatVersion, 0, ...value])
const refused = (message: string) => ({ ok: false, message: expect.stringContaining(message) })
const malformed = refused('cannot be read')

function bytesOf(value: unknown): Uint8Array {
  const encoder = new Encoder()
  encoder.append(value)
  return encoder.take()
}

describe('the decoder refuses', () => {
  it('other versions, empty input, and more than one value', () => {
    expect(decode()).toEqual(malformed)
    expect(decode(4, 0, tag.null)).toEqual(malformed)
    expect(document(tag.null, tag.null)).toEqual(malformed)
  })
  it('lengths beyond the remaining bytes, without allocating them', () => {
    const huge = [255, 255, 255, 255, 15]
    for (const kind of [tag.array, tag.object, tag.arrayBuffer]) expect(document(kind, ...huge)).toEqual(malformed)
    expect(document(tag.string, ...huge)).toEqual(refused('too long'))
    expect(document(tag.string, 126)).toEqual(malformed)
    expect(document(tag.typedArray, 2, ...huge, 0, tag.arrayBuffer, 1, 1, 0).ok).toBe(false)
    expect(decode(objectFormatVersion, ...huge, tag.null)).toEqual(malformed)
  })
  it('keys and references that do not exist', () => {
    expect(document(tag.object, 1, 2, tag.null)).toEqual(malformed)
    expect(document(tag.array, 1, tag.reference, 9)).toEqual(malformed)
    expect(document(tag.reference, 0)).toEqual(malformed)
  })
  it('circles, BigInts and unknown tags', () => {
    expect(document(tag.array, 1, tag.reference, 0)).toEqual(refused('circular'))
    expect(document(tag.bigint, 1, 1)).toEqual(refused('BigInt'))
    expect(document(tag.boxed, tag.bigint, 1, 1)).toEqual(refused('BigInt'))
    for (const unknown of [0, 11, 12, 13, 16, 20, 255]) expect(document(unknown)).toEqual(malformed)
  })
  it('depth beyond the limit, also through dates, boxes and references', () => {
    const nested = (kind: readonly number[]) =>
      decodeAll([objectFormatVersion, 0, ...Array.from({ length: 100_000 }, () => kind).flat(), tag.null])
    expect(nested([tag.array, 1])).toEqual(refused('nested deeper'))
    expect(nested([tag.date])).toEqual(malformed)
    expect(nested([tag.boxed])).toEqual(malformed)
    // Each level contains the previous one twice: 40 levels are 2^40 values.
    const doubling = [tag.array, 40, tag.array, 0]
    for (let level = 1; level < 40; level += 1) doubling.push(tag.array, 2, tag.reference, level, tag.reference, level)
    expect(document(...doubling)).toEqual(refused('too many values'))
  })
  it('a megabyte of empty arrays before it has built many of them', () => {
    const bytes = new Uint8Array(1_000_000).fill(0)
    bytes.set([objectFormatVersion, 0, tag.array, 0xa0, 0xc2, 0x1e])
    for (let at = 6; at < bytes.length; at += 2) bytes[at] = tag.array
    expect(() => expect(decoder.decode(bytes, 0, bytes.length, limits).ok).toBe(false)).toCostAtMost(200)
  })
  it('text that is long only because of shared references', () => {
    const long = 'k'.repeat(100_000)
    const [version = 0, ...rest] = bytesOf([{ [long]: 1 }])
    const [keys, value] = [rest.slice(0, -7), rest.slice(-7)]
    expect(value.slice(0, 2)).toEqual([tag.array, 1])
    const shared = Array.from({ length: 100 }, () => [tag.reference, 1]).flat()
    expect(decodeAll([version, ...keys, tag.array, 101, ...value.slice(2), ...shared])).toEqual(refused('too long'))
  })
})

describe('the decoder', () => {
  it('makes __proto__ a property', () => {
    const decoded = decode(objectFormatVersion, 1, 9 << 1, ...Buffer.from('__proto__'), tag.object, 1, 2, tag.object, 0)
    const made = decoded.ok ? (decoded.value as object) : {}
    expect(Object.hasOwn(made, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
  })
  it('copies shared objects', () => {
    const decoded = document(tag.array, 2, tag.array, 0, tag.reference, 1)
    const [one, two] = decoded.ok ? (decoded.value as unknown[][]) : []
    expect([one, two]).toEqual([[], []])
    expect(one).not.toBe(two)
  })
  it('reports whether elements of a list share objects, and counts each separately', () => {
    const list = (...value: number[]) =>
      decoder.decodeList(Uint8Array.from([objectFormatVersion, 0, ...value]), 0, value.length + 2, limits, () => {})
    expect(list(tag.array, 2, tag.array, 0, tag.array, 0)).toEqual({ isApart: true })
    expect(list(tag.array, 2, tag.array, 0, tag.reference, 1)).toEqual({ isApart: false })
    const elements: unknown[] = []
    const many = bytesOf([1, 2, 3].map(() => new Array(15_000).fill(0)))
    decoder.decodeList(many, 0, many.length, limits, (element) => elements.push(element))
    expect(elements).toHaveLength(3)
  })
  it('turns any bytes into a JSON value or a refusal', () => {
    const survives = (bytes: Uint8Array): void => {
      const decoded = decoder.decode(bytes, 0, bytes.length, limits)
      if (decoded.ok) expect(JSON.parse(JSON.stringify(decoded.value))).toEqual(decoded.value)
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) =>
        survives(Uint8Array.of(objectFormatVersion, 0, ...bytes)),
      ),
      {
        numRuns: 3_000,
      },
    )
    const written = bytesOf({ a: [1, 'text', { b: 0.5, ключ: null }], c: 'x'.repeat(20), d: [[[]]] })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(written.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (changes) => {
          const bytes = written.slice()
          for (const [at, byte] of changes) bytes[at] = byte
          survives(bytes)
        },
      ),
      { numRuns: 3_000 },
    )
  })
  it('reads a list in steps, with other reads in between, and stops at an element beyond a limit', () => {
    const bytes = bytesOf([{ a: 'first' }, [1, 2], new Array(20_001).fill(0), 'last'])
    const list = decoder.openList(bytes, 0, bytes.length, limits)
    expect(list.next()).toEqual({ value: { a: 'first' } })
    decoder.decode(bytesOf({ other: 1 }), 0, 10, limits)
    expect(list.next()).toEqual({ value: [1, 2] })
    expect([list.next(), list.refused]).toEqual([undefined, expect.stringContaining('too many values')])
    expect(list.next()).toBeUndefined()
    const other = decoder.openList(bytesOf(7), 0, 9, limits)
    expect([other.next(), other.refused]).toEqual([undefined, expect.stringContaining('cannot be read')])
  })
  it('reads documents with very many keys, and with texts far apart', () => {
    const value = Array.from({ length: 3_000 }, (_, n) => ({
      [`key number ${n}`]: n,
      [`ключ ${n}`]: 's'.repeat(n % 50),
    }))
    const far = ['a', 'x'.repeat(100_000), 'b', 'y'.repeat(70_000), { c: 'd' }]
    for (const each of [value, far]) {
      const bytes = bytesOf(each)
      expect(decoder.decode(bytes, 0, bytes.length, limits)).toMatchObject({ ok: true, value: each })
    }
  })
})

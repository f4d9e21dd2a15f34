import { describe, expect, it } from 'vitest'
import { FingerprintPage } from './fingerprint-page.ts'

function pageOf(...entries: readonly (readonly [low: number, tail: number])[]): FingerprintPage {
  const page = new FingerprintPage(0)
  for (const [low, tail] of entries) page.add(low, tail)
  return page
}
const largest = 2 ** 32 - 1

describe('a page of fingerprints', () => {
  it('sorts by tail, whatever the order of arrival', () => {
    expect([...pageOf([1, 9], [1, 0], [1, largest], [1, 9], [1, 4]).tails]).toEqual([0, 4, 9, 9, largest])
  })

  it('finds an entry only by both of its parts', () => {
    const page = pageOf([1, 9], [2, 9], [3, 10])
    expect([page.has(1, 9), page.has(2, 9), page.has(3, 9), page.has(1, 10), page.has(1, 8)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('removes one of equal entries at a time, and nothing that is not there', () => {
    const page = pageOf([1, 9], [1, 9])
    expect([page.remove(2, 9), page.remove(1, 9), page.has(1, 9), page.remove(1, 9), page.has(1, 9)]).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
    expect([page.size, page.remove(1, 9)]).toEqual([0, false])
  })

  it('finds entries also when all tails are close together, where their place cannot be guessed', () => {
    const tails = Array.from({ length: 500 }, (_, i) => largest - 500 + i)
    const page = pageOf(...tails.map((tail) => [7, tail] as const))
    expect(tails.every((tail) => page.has(7, tail))).toBe(true)
    expect([page.has(7, 0), page.has(7, largest), page.has(7, largest - 501)]).toEqual([false, false, false])
  })

  it('is split by a bit into two pages one level deeper, with every entry in one of them', () => {
    const page = pageOf([0b0000_0000, 1], [0b1000_0000, 2], [0b1000_0001, 3])
    const [zeros, ones] = page.split(7)
    expect([[...zeros.tails], [...ones.tails], zeros.depth, ones.depth]).toEqual([[1], [2, 3], 1, 1])
    expect([ones.has(0b1000_0001, 3), zeros.has(0b1000_0001, 3)]).toEqual([true, false])
  })

  it('is split also when all entries go to one side', () => {
    const [zeros, ones] = pageOf(...Array.from({ length: 100 }, (_, i) => [255, i] as const)).split(7)
    expect([zeros.size, ones.size, ones.has(255, 99)]).toEqual([0, 100, true])
  })

  it('is read at any place of the bytes that it was written to', () => {
    const page = pageOf([1, 9], [2, largest])
    const bytes = new Uint8Array(3 + page.byteLength)
    page.write(bytes, 3)
    const read = FingerprintPage.read(bytes, 3)
    expect([read?.size, read?.has(1, 9), read?.has(2, largest)]).toEqual([2, true, true])
  })

  it('is not read from bytes that end too early', () => {
    const page = pageOf([1, 9])
    const bytes = new Uint8Array(page.byteLength)
    page.write(bytes, 0)
    for (let length = 0; length < bytes.length; length += 1)
      expect(FingerprintPage.read(bytes.slice(0, length), 0)).toBeUndefined()
  })
})

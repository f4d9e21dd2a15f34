import type { LookupFunction } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createLookupTurns } from './lookup-turns.ts'

/** A resolver whose answers the test controls. */
function heldResolver() {
  const open: { readonly hostname: string; answer(): void }[] = []
  const lookup: LookupFunction = (hostname, _, callback) => {
    open.push({ hostname, answer: () => callback(null, '203.0.113.1', 4) })
  }
  return { open, lookup }
}

describe('turns of lookups', () => {
  it('names of one owner that never resolve occupy one slot; names of others are looked up meanwhile', async () => {
    const { open, lookup } = heldResolver()
    const turns = createLookupTurns(lookup)
    for (let n = 0; n < 20; n += 1) turns.of('a')(`dead${n}.test`, {}, () => {})
    const answered = new Promise((resolve) => turns.of('b')('alive.test', {}, (_, address) => resolve(address)))
    expect(open.map(({ hostname }) => hostname)).toEqual(['dead0.test', 'alive.test'])
    open[1]?.answer()
    expect(await answered).toBe('203.0.113.1')
  })

  it('at most three lookups run, and every owner gets its turn', () => {
    const { open, lookup } = heldResolver()
    const turns = createLookupTurns(lookup)
    const answered: string[] = []
    for (const owner of ['a', 'b', 'c', 'd', 'd']) turns.of(owner)(`${owner}.test`, {}, () => answered.push(owner))
    expect(open.length).toBe(3)
    for (let n = 0; n < 5; n += 1) open[n]?.answer()
    expect(answered).toEqual(['a', 'b', 'c', 'd', 'd'])
  })
})

it('refuses a lookup of an owner for whom 256 wait, and still serves others', async () => {
  const turns = createLookupTurns(() => {})
  const codes: unknown[] = []
  for (let count = 0; count < 300; count += 1)
    turns.of('A')('black.hole', {}, (error) => {
      codes.push(error?.code)
    })
  // One is under way.
  expect(codes).toEqual(Array(300 - 257).fill('ELOOKUPSMAX'))
  let isRefused = false
  turns.of('B')('other', {}, () => {
    isRefused = true
  })
  expect(isRefused).toBe(false)
})

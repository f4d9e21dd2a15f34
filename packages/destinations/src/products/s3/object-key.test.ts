import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folderOf, joinedAddress, objectKey } from './object-key.ts'

const name = { prefix: '', sourceId: 'web', now: Date.UTC(2026, 0, 2), content: '{}' }
const address = (more: Partial<typeof name> = {}) => `s3://bucket/${objectKey({ ...name, ...more })}`

describe('the key of an object', () => {
  it('contains source and day', () => {
    expect(folderOf(address())).toBe('s3://bucket/rudder-logs/web/01-02-2026/')
    expect(folderOf(address({ prefix: '/a//b/', sourceId: '' }))).toBe(
      's3://bucket/a/b/rudder-logs/unknown/01-02-2026/',
    )
  })

  it('is the same for the same content and time, and different otherwise', () => {
    const others = [address({ content: '[]' }), address({ now: name.now + 1 }), address({ sourceId: 'app' })]
    expect(address()).toBe(address())
    expect(new Set([address(), ...others]).size).toBe(4)
  })

  it('never leaves the bucket, and is valid in a URL whatever the prefix', () => {
    const prefix = fc.array(fc.oneof(fc.constantFrom('..', '.', '', '%2e%2e', '?', '#', '\\', '\ud800'), fc.string()))
    fc.assert(
      fc.property(prefix, (segments) => {
        const { host, pathname, search, hash } = new URL(address({ prefix: segments.join('/') }))
        expect([host, search, hash]).toEqual(['bucket', '', ''])
        expect(pathname).toBe(address({ prefix: segments.join('/') }).slice('s3://bucket'.length))
      }),
    )
  })
})

describe('the address of a joined object', () => {
  it('is in the folder of the first and depends on the content', () => {
    const all = ['1', '2', '3'].map((content) => address({ content }))
    const joined = joinedAddress(all)
    expect(folderOf(joined)).toBe(folderOf(address()))
    expect(joined).toMatch(/\/1767312000\.web\.[0-9a-f-]{36}\.json\.gz$/)
    expect(new Set([joined, joinedAddress(all.slice(1)), joinedAddress(all.toReversed()), ...all]).size).toBe(6)
  })

  it('is unchanged for a single object', () => expect(joinedAddress([address()])).toBe(address()))
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as node from './hash.node.ts'
import * as portable from './hash.portable.ts'

it('gives the same hashes and HMACs of any text and bytes on every platform', () => {
  const names = fc.constantFrom('sha256', 'sha512', 'sha1', 'md5')
  const data = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('\ud800'), fc.uint8Array({ maxLength: 200 }))
  fc.assert(
    fc.property(names, data, data, fc.constantFrom('hex', 'base64', 'base64url'), (name, key, each, output) => {
      expect(portable.hashText(name, each, output)).toBe(node.hashText(name, each, output))
      expect([...portable.hashBytes(name, each)]).toEqual([...node.hashBytes(name, each)])
      expect(portable.hmacText(name, key, each, output)).toBe(node.hmacText(name, key, each, output))
    }),
  )
})

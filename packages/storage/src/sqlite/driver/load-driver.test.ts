import { describe, expect, it } from 'vitest'
import { needsOlderDriver } from './load-driver.ts'

describe('the older driver', () => {
  const cases = [
    { name: 'Node 20.19 and 22.13', napi: '9', needed: true },
    { name: 'Node 22.14 and newer', napi: '10', needed: false },
  ]
  for (const { name, napi, needed } of cases) {
    it(`is ${needed ? '' : 'not '}needed by ${name}`, () => {
      expect(needsOlderDriver(napi)).toBe(needed)
    })
  }
})

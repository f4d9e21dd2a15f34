import { describe, expect, it } from 'vitest'
import { movedAddress } from './moved-address.ts'

describe('addresses of before', () => {
  const cases = [
    ['/dead-letters', '/failed'],
    ['/dead-letters/list', '/failed/list'],
    ['/dead-letters/letter-1', '/failed/letter-1'],
    ['/warehouses', '/warehouse'],
    ['/warehouses/big%20one', '/warehouse/big%20one'],
    ['/destinations/sources', '/sources'],
    ['/destinations/sources/web', '/sources/web'],
  ] as const
  for (const [from, to] of cases) it(`${from} leads to ${to}`, () => expect(movedAddress(from)).toBe(to))

  it('are only whole parts of a path, and none of today', () => {
    for (const path of ['/', '/flow', '/dead-letters-2', '/destinations', '/destinations/sources-of-it', '/warehouse'])
      expect(movedAddress(path)).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { parseSettings } from '../../kit/index.ts'
import { redis } from './redis.ts'

describe('the settings of Redis', () => {
  for (const address of ['localhost', 'localhost:6379', '10.0.0.1:1', '[::1]:6379', 'a.test:1,b.test:2 , c.test']) {
    it(`accept the address ${address}`, () => expect(parseSettings(redis, { address }).ok).toBe(true))
  }

  for (const address of [
    '',
    'redis://localhost',
    'user:pass@host:1',
    'a.test/2',
    'a.test:1,',
    '{{ event.host || "a" }}',
  ]) {
    it(`refuse the address '${address}'`, () => expect(parseSettings(redis, { address }).ok).toBe(false))
  }

  for (const [database, isTaken] of [
    ['', true],
    ['3', true],
    [3, true],
    ['test', false],
    [-1, false],
  ] as const) {
    it(`${isTaken ? 'accept' : 'refuse'} the database ${JSON.stringify(database)}`, () => {
      expect(parseSettings(redis, { address: 'a.test', database }).ok).toBe(isTaken)
    })
  }
})

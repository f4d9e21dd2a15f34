import { describe, expect, it } from 'vitest'
import { redisReply } from './redis-reply.ts'

describe('what a Redis server says', () => {
  const cases: readonly (readonly [string, readonly (string | undefined)[], number])[] = [
    ['that all is done', [undefined, undefined], 200],
    [
      'that a key is something else',
      [undefined, 'WRONGTYPE Operation against a key holding the wrong kind of value'],
      400,
    ],
    ['that the password is wrong', ['WRONGPASS invalid username-password pair or user is disabled.'], 401],
    ['that it wants a password', ['NOAUTH Authentication required.'], 401],
    ['that it is still starting', ['LOADING Redis is loading the dataset in memory'], 503],
    ['that it is full', ["OOM command not allowed when used memory > 'maxmemory'."], 503],
    ['that it is a replica now', ["READONLY You can't write against a read only replica."], 503],
    ['one thing that passes and one that does not', ['WRONGTYPE x', 'CLUSTERDOWN The cluster is down'], 503],
  ]
  for (const [name, refusals, status] of cases) {
    it(`is ${status} when it says ${name}`, () => expect(redisReply(refusals).status).toBe(status))
  }
})

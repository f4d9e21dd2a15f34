import { describe, expect, it } from 'vitest'
import { redisReply } from './redis-reply.ts'

describe('the status for replies of a Redis server', () => {
  const cases: readonly (readonly [string, readonly (string | undefined)[], number])[] = [
    ['all commands are done', [undefined, undefined], 200],
    ['a key has another type', [undefined, 'WRONGTYPE Operation against a key holding the wrong kind of value'], 400],
    ['the password is wrong', ['WRONGPASS invalid username-password pair or user is disabled.'], 401],
    ['a password is required', ['NOAUTH Authentication required.'], 401],
    ['the server is starting', ['LOADING Redis is loading the dataset in memory'], 503],
    ['the server is full', ["OOM command not allowed when used memory > 'maxmemory'."], 503],
    ['the server became a replica', ["READONLY You can't write against a read only replica."], 503],
    ['one error is temporary and one is not', ['WRONGTYPE x', 'CLUSTERDOWN The cluster is down'], 503],
  ]
  for (const [name, refusals, status] of cases) {
    it(`is ${status} when ${name}`, () => {
      const answers = refusals.map((refusal) => (refusal === undefined ? { value: 'OK' } : { refusal }))
      expect(redisReply(answers).status).toBe(status)
    })
  }

  it('comes with the numbers of the server, for commands that count', () => {
    expect(redisReply([{ value: 1 }, { value: 'OK' }, { value: 0 }]).body).toBe('[1,null,0]')
  })
})

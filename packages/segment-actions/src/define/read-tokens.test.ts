import { describe, expect, it } from 'vitest'
import { authOf, readTokens, storedTokens } from './read-tokens.ts'

describe('tokens', () => {
  it('in the settings are used when there is an access token', () => {
    expect(storedTokens({ oauth: { accessToken: 'a', refreshToken: 'r', clientSecret: 'c' } })).toEqual({
      accessToken: 'a',
      refreshToken: 'r',
    })
    expect(storedTokens({ oauth: { accessToken: 'a' } })).toEqual({ accessToken: 'a' })
    expect(storedTokens({ oauth: { refreshToken: 'r' } })).toBeUndefined()
    expect(storedTokens({})).toBeUndefined()
  })

  it('of an answer are read when there is an access token', () => {
    expect(readTokens({ accessToken: 'a', refreshToken: 'r', scope: 'all' })).toEqual({
      tokens: { accessToken: 'a', refreshToken: 'r' },
    })
    for (const answer of [undefined, null, 'a', {}, { accessToken: '' }, { accessToken: 5 }, { refreshToken: 'r' }])
      expect(readTokens(answer)).toBeUndefined()
  })

  it('reach actions without anything that is no text', () => {
    expect(authOf({ accessToken: 'a', refreshToken: null, other: 'x' })).toEqual({ accessToken: 'a' })
    expect(authOf(undefined)).toEqual({})
  })
})

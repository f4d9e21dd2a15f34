import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../api/request.ts'
import { settingProblems } from './setting-problems.ts'

const refusal = (...problems: readonly object[]): ApiError =>
  new ApiError(400, 'configurationInvalid', 'no', { problems })

describe('what the server found wrong with settings', () => {
  it('is named by the setting', () => {
    const found = settingProblems(refusal({ path: 'config.url', allowed: 'an address' }))
    expect([...found]).toEqual([['url', 'Allowed: an address']])
  })

  it('names the row and the member of a list, rows from 1', () => {
    const found = settingProblems(refusal({ path: 'config.headers[1].to', allowed: 'the secret itself' }))
    expect(found.get('headers')).toBe('In row 2, to: allowed is the secret itself')
  })

  it('has all problems of one setting', () => {
    const [first, second] = [1, 2].map((n) => ({ path: `config.names[${n}]`, allowed: 'a name' }))
    const found = settingProblems(refusal(first ?? {}, second ?? {}))
    expect(found.get('names')).toBe('In row 2: allowed is a name. In row 3: allowed is a name')
  })

  it('is nothing for other errors', () => {
    expect(settingProblems(new Error('offline')).size).toBe(0)
    expect(settingProblems(new ApiError(0, 'unreachable', 'offline')).size).toBe(0)
  })
})

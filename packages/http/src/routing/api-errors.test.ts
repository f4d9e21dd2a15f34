import { regulationErrors } from '@sluice/regulation'
import { transformationErrors } from '@sluice/transformations'
import { describe, expect, it } from 'vitest'
import { apiError } from './api-errors.ts'

describe('an error code of the API', () => {
  const cases = [
    { code: 'bodyTooLarge', status: 413, summary: 'The body is too large.' },
    { code: 'unauthorized', status: 401, summary: 'The access token is missing or invalid.' },
    {
      code: 'unavailable',
      status: 503,
      summary: 'Too many requests are being read, or wait for the sandbox; try again later.',
    },
    { code: 'regulationUnknown', status: 404, summary: regulationErrors.regulationUnknown },
    { code: 'deletionsTooMany', status: 429, summary: regulationErrors.deletionsTooMany },
    { code: 'transformationInUse', status: 409, summary: transformationErrors.transformationInUse },
  ] as const
  for (const { code, status, summary } of cases)
    it(`has a status and a meaning: ${code}`, () => expect(apiError(code)).toEqual({ status, summary }))

  it('exists for every error of regulations and transformations', () => {
    const codes = [...Object.keys(regulationErrors), ...Object.keys(transformationErrors)] as Parameters<
      typeof apiError
    >[0][]
    for (const code of codes) {
      const { status, summary } = apiError(code)
      expect([code, status >= 400 && status < 600, summary]).toEqual([code, true, expect.stringMatching(/\.$/)])
    }
  })
})

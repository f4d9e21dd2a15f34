import { describe, expect, it } from 'vitest'
import { parseRetryAfter, retryAfterMsMax } from './retry-after.ts'

const now = Date.UTC(2026, 0, 1, 12)

describe('parseRetryAfter', () => {
  const cases = [
    { text: '2', want: 2_000 },
    { text: ' 0 ', want: 0 },
    { text: 'Thu, 01 Jan 2026 12:00:03 GMT', want: 3_000 },
    { text: 'Thu, 01 Jan 2026 11:00:00 GMT', want: 0 },
    { text: '999999999999', want: retryAfterMsMax },
    { text: 'Thu, 01 Jan 2099 00:00:00 GMT', want: retryAfterMsMax },
    { text: '', want: undefined },
    { text: '-5', want: undefined },
    { text: '1.5', want: undefined },
    { text: 'in 5 minutes', want: undefined },
    { text: 'Thu, soon GMT', want: undefined },
  ]
  for (const { text, want } of cases) {
    it(`reads '${text}' as ${want}`, () => expect(parseRetryAfter(text, now)).toBe(want))
  }
})

import { describe, expect, it } from 'vitest'
import { isMappingError } from '../../kit/index.ts'
import { sendgridDeletion } from './sendgrid-deletion.ts'

describe('deletion at SendGrid', () => {
  it('lists every contact once, in URLs within the length limit', () => {
    const ids = Array.from({ length: 200 }, (_, i) => `${i}-${'x'.repeat(80)}`)
    const users = ids.map((userId) => ({ userId }))
    const requests = sendgridDeletion.requests(users, { apiKey: 'key' }, { now: 0, requestId: '' })
    if (isMappingError(requests)) throw new Error(requests.message)
    expect(requests.length).toBeGreaterThan(1)
    expect(Math.max(...requests.map(({ endpoint }) => endpoint.length))).toBeLessThanOrEqual(8_150)
    expect(requests.flatMap(({ endpoint }) => endpoint.split('ids=')[1]?.split(','))).toEqual(ids)
  })
})

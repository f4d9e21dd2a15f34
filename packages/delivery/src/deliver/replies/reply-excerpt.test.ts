import { query } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { replyExcerpt } from './reply-excerpt.ts'

const request = query({
  method: 'GET',
  endpoint: 'https://api.test',
  headers: { authorization: 'Bearer pw-123', 'content-type': 'application/json' },
  params: { api_key: 'key-456', v: '1' },
})

describe('replyExcerpt', () => {
  it('hides values of headers and parameters of the request', () => {
    const body =
      '{"error":"invalid token pw-123","got":"Bearer pw-123","key":"key-456","want":"application/json","v":"1"}'
    expect(replyExcerpt(body, request)).toBe(
      '{"error":"invalid token (hidden)","got":"(hidden)","key":"(hidden)","want":"application/json","v":"1"}',
    )
  })

  it('cuts at 1,024 characters, after hiding and never inside a character', () => {
    expect(replyExcerpt(`${'x'.repeat(1_020)}pw-123`, request)).toBe(`${'x'.repeat(1_020)}(hid`)
    expect(replyExcerpt(`${'x'.repeat(1_023)}😀`, request)).toBe('x'.repeat(1_023))
  })
})

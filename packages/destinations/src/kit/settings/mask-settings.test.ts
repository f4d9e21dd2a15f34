import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { webhook } from '../../products/webhook/webhook.ts'
import { maskedText, maskSettings } from './mask-settings.ts'

describe('maskSettings', () => {
  it('masks secrets inside lists of objects and shows the rest', () => {
    const settings = {
      webhookUrl: 'https://hook.test',
      headers: [
        { from: 'Authorization', to: 'Bearer pw' },
        { from: 'X', to: '' },
      ],
    }
    expect(maskSettings(webhook, settings)).toEqual({
      webhookUrl: 'https://hook.test',
      headers: [
        { from: 'Authorization', to: maskedText },
        { from: 'X', to: maskedText },
      ],
    })
    expect(settings.headers[0]?.to).toBe('Bearer pw')
  })

  it('masks unknown members, because they may be secret', () => {
    const masked = maskSettings(webhook, {
      webhookUrl: 'https://hook.test',
      apiKey: 'pw',
      headers: [{ from: 'X', value: 'pw' }],
    })
    expect(masked).toEqual({
      webhookUrl: 'https://hook.test',
      apiKey: maskedText,
      headers: [{ from: 'X', value: maskedText }],
    })
  })

  it('never shows a header value, whatever the shape of headers', () => {
    const secret = fc.constant('pw')
    const shape = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        secret,
        fc.array(tie('any')),
        fc.dictionary(fc.constantFrom('to', 'x', 'headers'), tie('any')),
      ),
    })).any
    fc.assert(
      fc.property(shape, (headers) => {
        const settings = JSON.parse(JSON.stringify({ webhookUrl: 'https://hook.test', headers }))
        expect(JSON.stringify(maskSettings(webhook, settings))).not.toContain('pw')
      }),
      { numRuns: 300 },
    )
  })
})

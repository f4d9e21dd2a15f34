import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineDestination } from '../define/define-destination.ts'
import { form, json } from '../map/request/delivery-request.ts'
import { maskedText } from './mask-settings.ts'
import { createSecretMask } from './secret-mask.ts'

const definition = defineDestination({
  type: 'SHOP',
  displayName: 'Shop',
  supports: ['track'],
  settings: Type.Object({
    apiKey: Type.String(),
    pin: Type.Number(),
    headers: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
  }),
  secrets: ['apiKey', 'pin', 'headers.to'],
  requests: () => [],
  examples: [],
})
const mask = createSecretMask(definition, { apiKey: 'k&y-123456', pin: 98765, headers: [{ from: 'x', to: 'v' }] })

describe('secret mask', () => {
  it('hides secrets anywhere in a request, plain or encoded for HTTP', () => {
    const request = json({
      method: 'POST',
      endpoint: 'https://shop.test/k%26y-123456/in?pin=98765',
      headers: { Authorization: 'Basic anything', 'x-sum': Buffer.from('k&y-123456:').toString('base64') },
      params: { key: 'k&y-123456', list: ['a k&y-123456 b', 7] },
      body: { nested: { key: 'k&y-123456' }, ok: true },
    })
    const masked = mask.request(request)
    const text = JSON.stringify(masked)
    for (const secret of ['k&y-123456', 'k%26y', '98765', 'anything', 'ayZ5LTEyMzQ1Njo'])
      expect(text).not.toContain(secret)
    expect(masked.endpoint).toBe(`https://shop.test/${maskedText}/in?pin=${maskedText}`)
    expect(masked.body.JSON).toEqual({ nested: { key: maskedText }, ok: true })
    expect(request.body.JSON).toEqual({ nested: { key: 'k&y-123456' }, ok: true })
    expect(
      mask.request(form({ method: 'POST', endpoint: 'https://a.test', body: { k: 'k&y-123456' } })).body.FORM,
    ).toEqual({ k: maskedText })
  })

  it('hides them in the body of an action, and does not show bytes', () => {
    const { body, ...rest } = json({ method: 'POST', endpoint: 'https://a.test', body: {} })
    const shown = (RAW: NonNullable<typeof body.RAW>) => mask.request({ ...rest, body: { ...body, RAW } }).body.RAW
    expect(shown({ text: 'key=k%26y-123456&a=1' })).toEqual({ text: `key=${maskedText}&a=1` })
    expect(shown({ base64: Buffer.from('say k&y-123456').toString('base64') })).toEqual({
      text: '(20 characters of Base64)',
    })
    expect(mask.request({ ...rest, body }).body).not.toHaveProperty('RAW')
  })

  it('hides them in other values, and keeps the rest', () => {
    expect(mask.value({ echo: ['k&y-123456'], n: 1, none: null })).toEqual({ echo: [maskedText], n: 1, none: null })
    expect(mask.value('v is too short to be looked for')).toBe('v is too short to be looked for')
  })

  it('hides the default of a secret that an event may decide', () => {
    const decided = createSecretMask(definition, { apiKey: '{{ event.key || "stand-in-123" }}', pin: 1, headers: [] })
    expect(decided.value('sent stand-in-123')).toBe(`sent ${maskedText}`)
  })
})

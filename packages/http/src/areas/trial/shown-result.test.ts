import { createSecretMask, json, query, webhook } from '@sluice/destinations'
import { describe, expect, it } from 'vitest'
import { shownResult } from './shown-result.ts'

const definition = { ...webhook, secrets: ['key'] }
const mask = createSecretMask(definition, { key: 'secret-key' })
const payload = json({ method: 'POST', endpoint: 'action:segment/shop/send', body: { name: 'Order' } })

describe('the shown result of a trial with actions', () => {
  it('has the requests that each action would send, and the assumption, without secrets', () => {
    const request = query({
      method: 'GET',
      endpoint: 'https://api.test/secret-key',
      headers: { 'x-key': 'secret-key' },
    })
    const { body, ...rest } = request
    const raw = { ...rest, body: { ...body, RAW: { base64: 'c2VjcmV0LWtleQ==' } } }
    const shown = shownResult(
      {
        requests: [payload],
        previews: [{ action: payload.endpoint, requests: [request, raw], error: 'secret-key is wrong' }],
      },
      mask,
    )
    expect(shown.actions).toMatchObject([
      {
        action: 'action:segment/shop/send',
        assumed: 'each request is answered with status 200 and the body {}',
        requests: [{ method: 'GET' }, { body: { RAW: { text: '(16 characters of Base64)' } } }],
      },
    ])
    expect(JSON.stringify(shown)).not.toContain('secret-key')
  })

  it('has no part for actions when there were none', () => {
    expect(shownResult({ requests: [payload], previews: [] }, mask)).toMatchObject({ actions: undefined })
    expect(shownResult({ requests: [payload], replies: [] }, mask)).toMatchObject({ actions: undefined })
  })

  it('has a notice when actions got no stored secrets, and one for each request that lacks some', () => {
    const withheld = { ...query({ method: 'GET', endpoint: 'https://else.test/a' }), withheld: ['x-key'] }
    expect(shownResult({ requests: [payload], withoutSecrets: true }, mask)).toMatchObject({
      notices: [expect.stringContaining('actions get them only with the stored settings')],
    })
    expect(shownResult({ requests: [payload, withheld], withoutSecrets: true }, mask)).toMatchObject({
      notices: [expect.stringContaining('actions'), expect.stringContaining('(headers: x-key)')],
    })
    expect(shownResult({ requests: [payload] }, mask)).not.toHaveProperty('notices')
    expect(shownResult({ requests: { error: 'no' }, withoutSecrets: true }, mask)).not.toHaveProperty('notices')
  })
})

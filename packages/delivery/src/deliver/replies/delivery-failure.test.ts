import { createSecretMask, type DeliveryRequest, defineDestination, json, webhook } from '@sluice/destinations'
import { describe, expect, it } from 'vitest'
import { reply } from '../../transport/recording-transport.ts'
import { createDeliveryFailure, type FailedAttempt } from './delivery-failure.ts'

const secret = 'pw-c0ffee'
const settings = {
  webhookUrl: 'https://api.test/in',
  webhookMethod: 'POST',
  headers: [{ from: 'x-team', to: secret }],
}
const failure = createDeliveryFailure(createSecretMask(webhook, settings))

const request = (more: Partial<DeliveryRequest> = {}): DeliveryRequest => ({
  ...json({ method: 'POST', endpoint: 'https://api.test/in', headers: { 'x-team': secret }, body: { a: 1 } }),
  ...more,
})

const attempted = (more: Partial<FailedAttempt> = {}): FailedAttempt => ({
  code: 'deliver.refused',
  request: request(),
  sent: more.request ?? request(),
  result: reply(400, 'no'),
  judgement: { outcome: 'aborted', status: 400, cause: 'It answered 400.' },
  attempts: 1,
  ...more,
})

describe('the failure of a delivery', () => {
  it('names the host that refused, with the request, the status and the reply', () => {
    expect(failure(attempted())).toMatchObject({
      code: 'deliver.refused',
      message: 'api.test refused the request. It answered 400.',
      detail: { status: 400, attempts: 1, reply: 'no', request: { method: 'POST', body: { JSON: { a: 1 } } } },
    })
  })

  it('says how often it was tried, or that it was not', () => {
    const result = { kind: 'network', code: 'ECONNREFUSED', message: '' } as const
    const gone = { code: 'deliver.unavailable', result } as const
    expect(failure(attempted({ ...gone, attempts: 4 })).message).toMatch(
      /^api\.test did not accept the request in 4 attempts\./,
    )
    expect(failure(attempted({ ...gone, attempts: 0 })).message).toMatch(/^api\.test gets no more requests\./)
    expect(failure(attempted(gone)).detail).toMatchObject({ cause: 'ECONNREFUSED' })
  })

  it('does not say of a host that it refused what was never sent', () => {
    const result = { kind: 'unsendable', code: 'EADDRREFUSED', message: '' } as const
    const judgement = { outcome: 'aborted', cause: 'Sluice did not send it.' } as const
    expect(failure(attempted({ result, judgement })).message).toBe('api.test got no request. Sluice did not send it.')
    const asked = { request: request(), result: reply(400, 'no') }
    expect(failure(attempted({ result, judgement, steps: [asked] })).message).toMatch(
      /^api\.test refused the request\./,
    )
  })

  it('does not show the request when its secrets are unknown', () => {
    expect(createDeliveryFailure()(attempted()).detail).toEqual({ status: 400, attempts: 1, reply: 'no' })
  })

  const leaks: readonly (readonly [string, Partial<FailedAttempt>])[] = [
    ['in a header', {}],
    ['in the address', { request: request({ endpoint: `https://api.test/in?key=${secret}` }) }],
    ['in a parameter', { request: request({ params: { key: `Bearer ${secret}` } }) }],
    ['deep in the body', { request: request({ body: { ...request().body, JSON: { a: [{ [`b`]: secret }] } } }) }],
    ['as Base64', { request: request({ params: { key: Buffer.from(`${secret}:`).toString('base64') } }) }],
    ['in the reply', { result: reply(401, `{"error":"bad key ${secret}"}`) }],
    ['across the cut of the reply', { result: reply(401, `${'x'.repeat(1_024 - 5)}${secret}`) }],
    ['in the message that the destination takes from the reply', { cause: `The key ${secret} is wrong.` }],
    [
      'in the judgement of the reply',
      { judgement: { outcome: 'aborted', cause: `It answered 400. The key ${secret} is wrong.` } },
    ],
  ]
  for (const [where, more] of leaks)
    it(`never shows a secret of the settings ${where}`, () => {
      const text = JSON.stringify(failure(attempted(more)))
      expect(text).not.toContain(secret)
      expect(text).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''))
      // Nor its beginning.
      expect(text).not.toContain(secret.slice(0, 5))
    })

  it('never shows a token that is not in the settings', () => {
    const sent = request({ headers: { authorization: 'Bearer token-of-today' } })
    const text = JSON.stringify(
      failure(attempted({ request: sent, cause: 'token-of-today has expired', result: reply(401, 'token-of-today?') })),
    )
    expect(text).not.toContain('token-of-today')
  })

  const large = 'x'.repeat(70_000)
  const tooLarge: readonly (readonly [string, Partial<DeliveryRequest>])[] = [
    ['body', { body: { ...request().body, JSON: { large } } }],
    ['list of parameters', { params: { large } }],
    ['address', { endpoint: `https://api.test/${large}` }],
    ['header', { headers: { large } }],
  ]
  for (const [part, more] of tooLarge)
    it(`shows method and address of a request whose ${part} is too large to be kept`, () => {
      const { detail } = failure(attempted({ request: request(more) }))
      expect(detail).toMatchObject({
        request: {
          method: 'POST',
          endpoint: expect.stringMatching(/^https:\/\/api\.test\//),
          body: expect.stringContaining('too large'),
        },
      })
      expect(JSON.stringify(detail).length).toBeLessThan(5_000)
    })

  it('works for destinations without secrets', () => {
    const plain = defineDestination({ ...webhook, secrets: [] })
    const tell = createDeliveryFailure(createSecretMask(plain, settings))
    expect(tell(attempted()).detail).toMatchObject({ request: { headers: { 'x-team': secret } } })
  })
})

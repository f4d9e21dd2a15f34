import { defineDestination, query } from '@sluice/destinations'
import { createSluice, type Sluice } from 'sluice'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashOf } from '../support/http/api-client.ts'
import { type DocumentedHandler, documented } from '../support/http/documented.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

/** A product that says who the owner of a key is. */
const crm = defineDestination({
  type: 'CRM',
  displayName: 'CRM',
  supports: [],
  settings: Type.Object({ url: Type.String(), key: Type.String() }),
  secrets: ['key'],
  requests: () => [],
  action: {
    perform: async () => ({ outcome: 'delivered', status: 200, message: '' }),
    async check({ send, settings: { url, key } }) {
      const result = await send(query({ method: 'GET', endpoint: `${url}/me?key=${key}` }))
      const status = result.kind === 'reply' ? result.status : 504
      if (status === 204) return { outcome: 'aborted', status: 400, message: `nothing belongs to ${key}` }
      const outcome = status === 200 ? 'delivered' : status < 500 ? 'aborted' : 'retry'
      return { outcome, status, message: `no answer for ${key}` }
    },
  },
  examples: [],
})

let receiver: Receiver
let status: number
let sluice: Sluice
let api: DocumentedHandler

beforeEach(async () => {
  status = 200
  receiver = await startReceiver(() => status)
  const settings = { url: receiver.url, key: 'key-1234' }
  sluice = await createSluice({
    workspace: {
      ...shop(receiver.url),
      destinations: [
        { id: 'crm', type: 'CRM', settings },
        { id: 'off', type: 'CRM', enabled: false, settings },
        { id: 'far', type: 'CRM', settings: { url: 'http://127.0.0.2:1', key: 'key-1234' } },
        { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'https://hook.test' } },
      ],
      connections: [],
      accessTokens: [
        { name: 'operator', token: hashOf('operate'), scopes: ['operate'] },
        { name: 'author', token: hashOf('write'), scopes: ['read', 'write'] },
      ],
    },
    destinations: [crm],
    allowAddresses: ['127.0.0.1'],
    sandbox: { mode: 'in-process' },
  })
  api = await documented(sluice)
})
afterEach(async () => {
  await sluice.stop()
  await receiver.close()
})

async function check(id: string, token = 'operate'): Promise<readonly [number, unknown]> {
  const response = await api.fetch(
    new Request(`http://sluice.test/v2/destinations/${id}/check`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    }),
  )
  return [response.status, await response.json()]
}

describe('POST /v2/destinations/{id}/check', () => {
  it('says that the credentials are valid, also for a disabled destination', async () => {
    expect(await check('crm')).toEqual([200, { valid: true }])
    expect(await check('off')).toEqual([200, { valid: true }])
    expect(receiver.received.map(({ path }) => path)).toEqual(['/me?key=key-1234', '/me?key=key-1234'])
  })

  it('asks the product once for all callers at the same time', async () => {
    expect(await Promise.all([check('crm'), check('crm'), check('crm')])).toEqual(Array(3).fill([200, { valid: true }]))
    expect(receiver.received).toHaveLength(1)
    await check('crm')
    expect(receiver.received).toHaveLength(2)
  })

  it('says why they are not valid, with secrets masked', async () => {
    status = 403
    const { host } = new URL(receiver.url)
    expect(await check('crm')).toEqual([200, { valid: false, reason: `${host}: It answered 403.` }])
    status = 204
    expect(await check('crm')).toEqual([200, { valid: false, reason: 'nothing belongs to ••••••' }])
  })

  it('says that nothing is known when the product fails or must not be reached', async () => {
    status = 503
    expect(await check('crm')).toEqual([502, expect.objectContaining({ code: 'checkUndecided' })])
    const [code, body] = await check('far')
    expect([code, body]).toEqual([502, expect.objectContaining({ code: 'checkUndecided' })])
    expect(JSON.stringify(body)).not.toContain('key-1234')
  })

  it('refuses types without such a request, and unknown ids', async () => {
    expect(await check('hook')).toEqual([400, expect.objectContaining({ code: 'checkUnsupported' })])
    expect(await check('gone')).toEqual([404, expect.objectContaining({ code: 'destinationMissing' })])
  })

  it('sends nothing for a token without the scope operate', async () => {
    expect(await check('crm', 'write')).toEqual([403, expect.objectContaining({ code: 'scopeMissing' })])
    expect(await check('crm', 'wrong')).toEqual([401, expect.objectContaining({ code: 'unauthorized' })])
    expect(receiver.received).toEqual([])
  })
})

import { createSeededRandom, isJsonObject, type JsonObject, type JsonValue, systemClock } from '@sluice/core'
import { createFolderLedgerPlace } from '@sluice/storage'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createGatedTransport } from '../support/faults/gated-transport.ts'
import { hashOf } from '../support/http/api-client.ts'
import { openDsrExamples as examples } from '../support/opendsr-examples.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'
import { type ServeOptions, serveWorkspaces } from '../support/served-workspace.ts'

const serve = serveWorkspaces({ clock: systemClock, allowAddresses: ['localhost'] })
const accessTokens = [{ name: 'all', token: hashOf('all') }]
const requests = '/opendsr/v2/requests'
const path = `${requests}/${examples.request.subject_request_id}`

const receivers: Receiver[] = []
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})

/** A shop that knows the person of the example, and the controller of the example. */
async function scene(options: ServeOptions = {}) {
  const controller = await startReceiver(() => 202)
  receivers.push(controller)
  const place = createFolderLedgerPlace(serve.file('ledger'), createSeededRandom(5))
  const workspace = shop('http://hook.test/', { accessTokens })
  const { sluice, api } = await serve({ workspace, ledger: { place }, ...options })
  const [{ identity_value: email }] = examples.request.subject_identities
  await sluice.ingest('web-key', [{ type: 'identify', userId: 'johndoe', traits: { email }, messageId: 'm1' }])
  const call = await api('Bearer all')
  const order = (more: JsonObject = {}) =>
    call.post(requests, { ...examples.request, status_callback_urls: [`${controller.url}/opendsr_callbacks`], ...more })
  const called = () => controller.received.map(({ body }) => JSON.parse(body) as JsonObject)
  return { sluice, call, order, called }
}

/** Returns the form of a value: names of members, and types of what they have. Lists have the form of their elements. */
function formOf(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(formOf(each))))].sort()
  if (!isJsonObject(value)) return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, formOf(each)]),
  )
}

/** Returns the members of an answer that an example has; those that Sluice adds are ignored, as the specification allows. */
function as(example: JsonObject, answered: unknown): JsonObject {
  const given = isJsonObject(answered) ? answered : {}
  return Object.fromEntries(Object.keys(example).map((name) => [name, given[name]]))
}

describe('the examples of the OpenDSR specification', () => {
  it('6.4: discovery has the form of the example, and lists its identity and type', async () => {
    const { call } = await scene()
    const { status, body } = await call.as('').get('/opendsr/v2/discovery')
    expect([status, formOf(as(examples.discovery, body))]).toEqual([200, formOf(examples.discovery)])
    expect(body['supported_identities']).toContainEqual(examples.discovery.supported_identities[0])
    expect(body['supported_subject_request_types']).toEqual(['erasure', 'access', 'portability'])
  })

  for (const type of ['erasure', 'access', 'portability'] as const)
    it(`7.2 to 8.7: ${type} is taken, reported, and called back in the form of the examples`, async () => {
      const { sluice, call, order, called } = await scene()
      await sluice.settled()
      const { status, headers, body } = await order({ subject_request_type: type })
      expect([status, formOf(as(examples.response, body))]).toEqual([201, formOf(examples.response)])
      expect(body['subject_request_id']).toBe(examples.response.subject_request_id)
      expect(headers.get('x-opendsr-processor-domain')).toBe('sluice.test')
      expect(headers.get('x-opendsr-signature')).toMatch(/^[\w+/]+=*$/)

      await eventually(() => called().some(({ results_url }) => results_url !== undefined)).toBe(true)
      const found = await call.get(path)
      // OpenDSR counts results of access and portability only.
      const { results_count: _, ...status8 } = examples.status
      const { results_count: __, ...callback8 } = examples.callback
      const isErasure = type === 'erasure'
      const [ofStatus, ofCallback] = isErasure ? [status8, callback8] : [examples.status, examples.callback]
      expect([found.status, formOf(as(ofStatus, found.body))]).toEqual([200, formOf(ofStatus)])
      expect(formOf(as(ofCallback, called().at(-1)))).toEqual(formOf(ofCallback))
      expect(['pending', 'in_progress', 'completed', 'cancelled']).toContain(found.body['request_status'])
      expect((await call.get(new URL(String(found.body['results_url'])).pathname)).status).toBe(200)
    })

  it('7.7: a request without an id is refused with the error of the example', async () => {
    const { order } = await scene()
    const { status, body } = await order({ subject_request_id: null })
    expect([status, formOf(as(examples.error, body))]).toEqual([400, formOf(examples.error)])
    expect(body['error']).toMatchObject({ code: 400, errors: [{ domain: 'Validation' }] })
    expect(JSON.stringify(body)).toContain('subject_request_id')
    expect(JSON.stringify(body)).not.toContain('johndoe')
  })

  it('9.3: a pending request is cancelled in the form of the example', async () => {
    const transport = createGatedTransport()
    const { sluice, call, order } = await scene({ transport })
    await eventually(() => transport.sent.length).toBe(1)
    // Deletions wait for the event under way, and later ones for these.
    const earlier = examples.request.subject_request_id.replace('a7', 'b7')
    const customer = { identity_type: 'controller_customer_id', identity_value: 'other', identity_format: 'raw' }
    const withoutCalls = { status_callback_urls: [], subject_identities: [customer] }
    await order({ subject_request_id: earlier, ...withoutCalls })
    await eventually(async () => (await call.get(`${requests}/${earlier}`)).body['request_status']).toBe('in_progress')
    await order(withoutCalls)
    const { status, body } = await call.delete(path)
    expect([status, formOf(as(examples.cancellation, body))]).toEqual([202, formOf(examples.cancellation)])
    expect((await call.get(path)).body['request_status']).toBe('cancelled')
    await transport.answer(1)
    await sluice.settled()
  })
})

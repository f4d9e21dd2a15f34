import { generateKeyPairSync, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createManualClock, type Event, type JsonObject } from '@sluice/core'
import {
  type DestinationDefinition,
  eventbridge,
  firehose,
  googlePubsub,
  kinesis,
  parseSettings,
  sqs,
} from '@sluice/destinations'
import { afterEach, describe, expect, it } from 'vitest'
import { type DeliveryOptions, openDelivery } from '../support/scenes/deliver-events.ts'

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Call {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: JsonObject
}

/** A service that answers each call with a status and a body, or breaks the connection. */
async function service(answer: (call: Call) => readonly [status: number, body: unknown] | 'broken') {
  const calls: Call[] = []
  const server = createServer(async (incoming, outgoing) => {
    let text = ''
    for await (const chunk of incoming) text += chunk
    const body = text.startsWith('{') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
    const call = { path: String(incoming.url), headers: incoming.headers, body }
    calls.push(call)
    const answered = answer(call)
    if (answered === 'broken') return incoming.socket.destroy()
    const [status, reply] = answered
    return outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => new Promise((resolve) => server.close(resolve)))
  return { calls, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Returns a status, or the code of an error, for each event. */
async function deliver(
  definition: DestinationDefinition,
  given: object,
  events: readonly Event[],
  options: DeliveryOptions = { clock: createManualClock(Date.UTC(2026, 0, 2, 3, 4, 5)) },
) {
  const delivery = openDelivery(definition, given, options)
  cleanups.push(() => delivery.close())
  const outcomes = await delivery.send(events)
  return outcomes.map((outcome) => (typeof outcome === 'string' ? outcome.split(':')[0] : outcome))
}

const event = (index: number): Event => ({ type: 'track', event: 'E', userId: `u${index}`, messageId: `m${index}` })
const three = [event(0), event(1), event(2)]
const keys = { region: 'eu-west-1', accessKeyID: 'id', accessKey: 'secret-key' }
const decoded = (text: unknown): unknown => JSON.parse(Buffer.from(String(text), 'base64').toString())
const members = (list: unknown): readonly JsonObject[] => list as readonly JsonObject[]

describe('Kinesis', () => {
  it('puts records with the user as partition key, signed, and tries only refused records again', async () => {
    const { calls, origin } = await service(() => [
      200,
      {
        FailedRecordCount: 2,
        Records: [
          { SequenceNumber: '1' },
          { ErrorCode: 'ProvisionedThroughputExceededException', ErrorMessage: 'slow down' },
          { ErrorCode: 'KMSDisabledException', ErrorMessage: 'no key' },
        ],
      },
    ])
    const outcomes = await deliver(kinesis, { ...keys, stream: 'events', endPoint: origin }, three)
    expect(outcomes).toEqual([200, 'deliver.unavailable', 'deliver.refused'])
    const [call] = calls
    expect(call?.headers).toMatchObject({
      'x-amz-target': 'Kinesis_20131202.PutRecords',
      'content-type': 'application/x-amz-json-1.1',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=id\/20260102\/eu-west-1\/kinesis\/aws4_request, SignedHeaders=[a-z0-9;-]+, Signature=[0-9a-f]{64}$/,
      ),
    })
    expect(call?.body['StreamName']).toBe('events')
    const records = members(call?.body['Records'])
    expect(records.map(({ PartitionKey }) => PartitionKey)).toEqual(['u0', 'u1', 'u2'])
    expect(records.map(({ Data }) => decoded(Data))).toEqual(three)
  })

  it('waits when AWS throttles the call, and fails when it refuses it', async () => {
    const throttled = await service(() => [400, { __type: 'ThrottlingException' }])
    expect(await deliver(kinesis, { ...keys, stream: 's', endPoint: throttled.origin }, [event(0)])).toEqual([
      'deliver.unavailable',
    ])
    const refused = await service(() => [400, { __type: 'UnrecognizedClientException' }])
    expect(await deliver(kinesis, { ...keys, stream: 's', endPoint: refused.origin }, [event(0)])).toEqual([
      'deliver.refused',
    ])
  })
})

it('Firehose gets lines, with one call per delivery stream', async () => {
  const { calls, origin } = await service(() => [200, { FailedPutCount: 0, RequestResponses: [] }])
  const mapEvents = [
    { from: 'E', to: 'orders' },
    { from: '*', to: 'rest' },
  ]
  const page = { type: 'page', anonymousId: 'a', messageId: 'm9' }
  expect(await deliver(firehose, { ...keys, mapEvents, endPoint: origin }, [event(0), page, event(1)])).toEqual([
    200, 200, 200,
  ])
  expect(calls.map(({ body }) => [body['DeliveryStreamName'], members(body['Records']).length])).toEqual([
    ['orders', 2],
    ['rest', 1],
  ])
  const [first] = members(calls[0]?.body['Records'])
  expect(Buffer.from(String(first?.['Data']), 'base64').toString()).toBe(`${JSON.stringify(event(0))}\n`)
})

it('Firehose does not get records again that it has stored, when a call for another stream fails', async () => {
  const { calls, origin } = await service(({ body }) =>
    body['DeliveryStreamName'] === 'orders' ? [200, { RequestResponses: [] }] : [503, {}],
  )
  const mapEvents = [
    { from: 'E', to: 'orders' },
    { from: '*', to: 'rest' },
  ]
  const page = { type: 'page', anonymousId: 'a', messageId: 'm9' }
  const outcomes = await deliver(firehose, { ...keys, mapEvents, endPoint: origin }, [event(0), page])
  expect(outcomes).toEqual([200, 'deliver.unavailable'])
  expect(calls.filter(({ body }) => body['DeliveryStreamName'] === 'orders')).toHaveLength(1)
})

it('EventBridge gets entries, at most ten in a call', async () => {
  const { calls, origin } = await service(({ body }) => [
    200,
    { Entries: members(body['Entries']).map((_, index) => (index === 1 ? { ErrorCode: 'MalformedDetail' } : {})) },
  ])
  const events = Array.from({ length: 12 }, (_, index) => event(index))
  const settings = { ...keys, detailType: 'customer event', eventBusName: 'bus', endPoint: origin }
  const outcomes = await deliver(eventbridge, settings, events)
  expect(outcomes.map((outcome) => outcome === 200)).toEqual(events.map((_, index) => index % 10 !== 1))
  expect(calls.map(({ body }) => members(body['Entries']).length)).toEqual([10, 2])
  expect(members(calls[0]?.body['Entries'])[0]).toEqual({
    Source: 'rudderstack',
    DetailType: 'customer event',
    EventBusName: 'bus',
    Resources: [],
    Detail: JSON.stringify(event(0)),
  })
})

it('a FIFO queue of SQS gets users as groups, and reports each message', async () => {
  const { calls, origin } = await service(() => [
    200,
    { Successful: [{ Id: '0' }], Failed: [{ Id: '1', Code: 'InternalError', SenderFault: false }] },
  ])
  const settings = { ...keys, queueUrl: 'https://sqs.eu-west-1.amazonaws.com/1/events.fifo', endPoint: origin }
  expect(await deliver(sqs, settings, [event(0), event(1)])).toEqual([200, 'deliver.unavailable'])
  expect(members(calls[0]?.body['Entries'])[0]).toEqual({
    Id: '0',
    MessageBody: JSON.stringify(event(0)),
    MessageGroupId: 'u0',
    MessageDeduplicationId: 'm0',
  })
})

describe('Google Pub/Sub', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const credentials = JSON.stringify({
    client_email: 'a@shop.iam.test',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  })
  const settings = {
    ...{ projectId: 'shop-123', credentials },
    eventToTopicMap: [
      { from: 'E', to: 'orders' },
      { from: '*', to: 'rest' },
    ],
    eventToAttributesMap: [{ from: '*', to: 'userId' }],
  }

  /** The addresses of Google are fixed; the tests lead them to a server of their own. */
  function at(origin: string): DestinationDefinition {
    const account = googlePubsub.account as NonNullable<typeof googlePubsub.account>
    return {
      ...googlePubsub,
      account: {
        ...account,
        tokenRequest: (...given) => ({ ...account.tokenRequest(...given), endpoint: `${origin}/token` }),
      },
      requests: (typed, set, context) => {
        const mapped = googlePubsub.requests(typed, set as never, context)
        return 'params' in mapped ? { ...mapped, params: { ...mapped.params, origin } } : mapped
      },
    }
  }

  it('signs in with a signed assertion, and publishes to each topic', async () => {
    const { calls, origin } = await service(({ path }) =>
      path === '/token'
        ? [200, { access_token: 'token-1', expires_in: 3600 }]
        : path.includes('rest')
          ? [404, { error: 'no topic' }]
          : [200, { messageIds: ['1'] }],
    )
    const page = { type: 'page', userId: 'u9', messageId: 'm9' }
    expect(await deliver(at(origin), settings, [event(0), page])).toEqual([200, 'deliver.refused'])
    const [token, publish] = calls
    const [head, claims, signature = ''] = String(token?.body['assertion']).split('.')
    const signed = Buffer.from(`${head}.${claims}`)
    expect(verify('RSA-SHA256', signed, publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
    const now = Date.UTC(2026, 0, 2, 3, 4, 5) / 1_000
    expect(JSON.parse(Buffer.from(String(claims), 'base64url').toString())).toMatchObject({
      iss: 'a@shop.iam.test',
      aud: 'https://oauth2.googleapis.com/token',
      iat: now,
      exp: now + 3_600,
    })
    expect(publish).toMatchObject({
      path: '/v1/projects/shop-123/topics/orders:publish',
      headers: { authorization: 'Bearer token-1' },
    })
    const [message] = members(publish?.body['messages'])
    expect(message).toMatchObject({ attributes: { userId: 'u0' }, orderingKey: 'u0' })
    expect(decoded(message?.['data'])).toEqual(event(0))
  })

  it('does not get messages again that it has stored, when the call for another topic breaks', async () => {
    const failed: string[] = []
    const { calls, origin } = await service(({ path }) => {
      if (path === '/token') return [200, { access_token: 'token-1', expires_in: 3600 }]
      if (path.includes('orders') || failed.includes(path)) return [200, { messageIds: ['1'] }]
      failed.push(path)
      return 'broken'
    })
    const page = { type: 'page', userId: 'u9', messageId: 'm9' }
    expect(await deliver(at(origin), settings, [event(0), page], { attemptsMax: 2 })).toEqual([200, 200])
    const published = calls.filter(({ path }) => path.includes('/topics/'))
    expect(published.map(({ path }) => path.replace(/.*topics/, ''))).toEqual([
      '/orders:publish',
      '/rest:publish',
      '/rest:publish',
    ])
  })

  it('refuses credentials that are no key of a service account', () => {
    for (const wrong of ['', 'text', '{}', '{"client_email":"a","private_key":"b"}'])
      expect(parseSettings(googlePubsub, { ...settings, credentials: wrong })).toMatchObject({ ok: false })
  })
})

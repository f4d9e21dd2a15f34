import { createManualClock, createSeededRandom, type Event, type JsonValue, type SourcedEvent } from '@sluice/core'
import {
  type Ask,
  ask,
  createDestinationTransformStage,
  type DeliveryRequest,
  type DestinationDefinition,
  instrumentationError,
  isKnown,
  json,
  type MappedEvent,
  type MappingError,
  oauth2,
  pack,
  query,
  webhook,
} from '@sluice/destinations'
import { describe, expect, it } from 'vitest'
import { type Answer, createRecordingTransport, reply } from '../transport/recording-transport.ts'
import { createSend, type DeliverOptions } from './create-send.ts'
import { sendAll } from './send.ts'

const live = new AbortController().signal
const minute = 60_000

/** Sends events with the id of their contact, which it has to look up. */
const crm: DestinationDefinition = {
  ...webhook,
  type: 'CRM',
  supports: ['identify', 'track'],
  secrets: ['token'],
  requests(event, { token }, context) {
    const headers = { authorization: `Bearer ${token}` }
    const { userId } = event
    const id = ask(context, {
      key: `contact ${userId}`,
      request: query({ method: 'GET', endpoint: `https://crm.test/contacts/${userId}`, headers }),
      read: ({ body }): JsonValue | MappingError => {
        if (body === null || typeof body !== 'object') return null
        return 'id' in body ? (body.id as JsonValue) : instrumentationError('the contact has no id')
      },
      accepts: [404],
      ttlMs: event['ttl'] === 0 ? 0 : minute,
    })
    if (!isKnown(id)) return id
    if (event['event'] === 'Skipped') return []
    if (event['event'] === 'Again')
      return ask({}, { key: `contact ${userId}`, request, read: () => 1, ttlMs: 0 }) as Ask
    if (event['event'] === 'Broken') throw new TypeError('bug')
    return json({ method: 'POST', endpoint: 'https://crm.test/events', headers, body: { id, event: event['event'] } })
  },
}
const request = query({ method: 'GET', endpoint: 'https://crm.test/again' })

const crmAsk = ask({}, { key: 'k', request, read: () => 1, ttlMs: 0 }) as Ask

const track = (userId: string, event: string, more: object = {}): Event => ({
  type: 'track',
  userId,
  event,
  messageId: `${userId} ${event}`,
  ...more,
})

const contact = ({ endpoint }: DeliveryRequest) =>
  endpoint.includes('/contacts/') ? reply(200, JSON.stringify({ id: `c-${endpoint.split('/').at(-1)}` })) : reply(200)

function harness(answer: Answer, options: Partial<DeliverOptions> = {}, definition = crm) {
  const transport = createRecordingTransport(answer)
  const clock = createManualClock()
  const settings = { token: 'secret-token' }
  const transform = createDestinationTransformStage({
    definition,
    settings,
    destination: { id: 'd', name: 'crm', type: 'CRM' },
    clock,
  })
  const deliver = createSend({
    transport,
    clock,
    random: createSeededRandom(1),
    destination: { definition, settings },
    retry: { attemptsMax: 3, baseMs: 0, capMs: 0 },
    ...options,
  })
  const run = async (...events: readonly Event[]) => {
    const items = events.map((event): SourcedEvent => ({ workspaceId: 'w', sourceId: 's', writeKey: 'k', event }))
    const mapped = await transform.run(items, live)
    return sendAll(
      deliver,
      mapped.flatMap((outcome): readonly MappedEvent[] => (outcome.kind === 'pass' ? outcome.items : [])),
      live,
    )
  }
  const sent = () =>
    transport.requests.map(({ endpoint, body }) => {
      const { id, event } = body.JSON
      return id === undefined ? endpoint.replace('https://crm.test/', '') : `${event} of ${id}`
    })
  return { run, sent, clock, deliver }
}

const delivered = { kind: 'pass', items: [{ kind: 'delivered', status: 200, attempts: 1 }] }

describe('a mapping that asks the product', () => {
  it('is completed with the answer, and its requests are sent', async () => {
    const { run, sent } = harness(contact)
    expect(await run(track('u', 'A'))).toEqual([delivered])
    expect(sent()).toEqual(['contacts/u', 'A of c-u'])
  })

  it('shares an answer between events and calls until its time is over', async () => {
    const { run, sent, clock } = harness(contact)
    await run(track('u', 'A'), track('u', 'B'))
    await run(track('u', 'C'))
    await clock.advance(minute)
    await run(track('u', 'D'))
    expect(sent()).toEqual(['contacts/u', 'A of c-u', 'B of c-u', 'C of c-u', 'contacts/u', 'D of c-u'])
  })

  it('asks once for events that wait at the same time', async () => {
    const shared: DestinationDefinition = {
      ...crm,
      requests: (event, settings, context) => crm.requests({ ...event, userId: 'one' }, settings, context),
    }
    const { run, sent } = harness(contact, {}, shared)
    await Promise.all([run(track('u', 'A')), run(track('v', 'B')), run(track('w', 'C'))])
    expect(sent().filter((each) => each === 'contacts/one')).toHaveLength(1)
  })

  it('asks again for each event when answers are not kept, after what the event before did', async () => {
    const { run, sent } = harness(contact)
    await run(track('u', 'A', { ttl: 0 }), track('u', 'B', { ttl: 0 }))
    expect(sent()).toEqual(['contacts/u', 'A of c-u', 'contacts/u', 'B of c-u'])
  })

  it('keeps the order of a user across calls, while other users do not wait', async () => {
    const releases: (() => void)[] = []
    const { run, sent } = harness(async (sending) => {
      if (sending.endpoint.endsWith('/u')) await new Promise<void>((resolve) => releases.push(resolve))
      return contact(sending)
    })
    const runs = [run(track('u', 'A')), run(track('u', 'B'), track('v', 'C'))]
    await expect.poll(() => sent()).toContain('C of c-v')
    for (const release of releases) release()
    await Promise.all(runs)
    expect(sent().filter((each) => each.endsWith('c-u'))).toEqual(['A of c-u', 'B of c-u'])
  })

  it('takes a status that it accepts as an answer', async () => {
    const { run, sent } = harness(({ endpoint }) => reply(endpoint.includes('/contacts/') ? 404 : 200, 'none'))
    expect(await run(track('u', 'A'))).toEqual([delivered])
    expect(sent()).toEqual(['contacts/u', 'A of null'])
  })

  it('is tried again when the product cannot answer', async () => {
    let calls = 0
    const { run, sent } = harness((sending) => {
      calls += 1
      return calls < 3 ? reply(503) : contact(sending)
    })
    expect(await run(track('u', 'A'))).toMatchObject([{ kind: 'pass', items: [{ kind: 'delivered' }] }])
    expect(sent()).toEqual(['contacts/u', 'contacts/u', 'contacts/u', 'A of c-u'])
  })

  it('is postponed with its event, and keeps what was delivered before', async () => {
    const deferring = { windowMs: 3_600_000, attemptsMin: 3, isHeld: () => false }
    const { run } = harness(() => reply(503), { deferring })
    expect(await run(track('u', 'A'), track('u', 'B'))).toMatchObject([
      { items: [{ kind: 'deferred', attempts: 3, done: [], cause: { detail: { status: 503 } } }] },
      { items: [{ kind: 'deferred', attempts: 0 }] },
    ])
  })

  it('fails its event when the product refuses the question, and shows no secret', async () => {
    const { run, sent } = harness(() => reply(403, 'bad token secret-token'))
    const outcomes = await run(track('u', 'A'))
    expect(outcomes).toMatchObject([{ kind: 'fail', error: { code: 'deliver.refused', detail: { status: 403 } } }])
    expect(JSON.stringify(outcomes)).not.toContain('secret-token')
    expect(sent()).toEqual(['contacts/u'])
  })

  it('fails its event when the answer is an error', async () => {
    const { run } = harness(() => reply(200, '{"name":"Ada"}'))
    expect(await run(track('u', 'A'))).toMatchObject([
      { kind: 'fail', error: { code: 'destination.event', message: 'the contact has no id' } },
    ])
  })

  it('drops its event when there is nothing to send', async () => {
    const { run } = harness(contact)
    expect(await run(track('u', 'Skipped'))).toEqual([
      { kind: 'drop', reason: 'nothing to send', stage: 'destination-transform' },
    ])
  })

  it('fails only its own event when it asks in a circle or throws', async () => {
    const { run } = harness(contact)
    const outcomes = await run(track('u', 'Again'), track('v', 'Broken'), track('w', 'A'))
    expect(outcomes).toMatchObject([
      { kind: 'fail', error: { code: 'stage.broken', message: expect.stringContaining('same question') } },
      { kind: 'fail', error: { code: 'stage.broken', message: expect.stringContaining('TypeError') } },
      delivered,
    ])
  })

  it('fails its event when the reply cannot be read', async () => {
    const careless: DestinationDefinition = {
      ...crm,
      requests: (_, __, context) => {
        const read = ({ body }: { readonly body: JsonValue }) => (body as { readonly a: { readonly b: string } }).a.b
        const known = ask(context, { key: 'k', request, read, ttlMs: 0 })
        return isKnown(known) ? [] : known
      },
    }
    const { run } = harness(() => reply(200, '{}'), {}, careless)
    expect(await run(track('u', 'A'))).toMatchObject([
      { kind: 'fail', error: { code: 'deliver.refused', message: expect.stringContaining('could not be read') } },
    ])
  })

  it('shares batches with other events once the answers are known', async () => {
    const batching: DestinationDefinition = {
      ...crm,
      batch: pack({
        itemsMax: 10,
        merge: ([first, ...others]) => ({ ...(first?.request ?? request), params: { others: others.length } }),
      }),
    }
    const { run, sent } = harness(contact, {}, batching)
    await run(track('u', 'A'), track('v', 'B'))
    expect(sent()).toEqual(['contacts/u', 'contacts/v', 'A of c-u'])
  })

  it('forgets its answers when the product refuses one of them as a token', async () => {
    let refused = 0
    const { run, sent } = harness((sending) => {
      if (sending.endpoint.endsWith('/events') && refused++ === 0) return reply(401)
      return contact(sending)
    })
    expect(await run(track('u', 'A'))).toMatchObject([{ kind: 'fail', error: { detail: { status: 401 } } }])
    await run(track('u', 'B'))
    expect(sent()).toEqual(['contacts/u', 'A of c-u', 'contacts/u', 'B of c-u'])
  })

  it('is tried again when it reads nothing from a reply, without keeping that', async () => {
    const listed: DestinationDefinition = {
      ...crm,
      requests: (_, __, context) => {
        const read = ({ body }: { readonly body: JsonValue }) => (Array.isArray(body) ? body : undefined)
        const known = ask(context, { key: 'k', request, read, ttlMs: minute })
        return isKnown(known) ? [] : known
      },
    }
    const replies = ['{"error":"busy"}', '[]']
    const { run, sent } = harness(() => reply(200, replies.shift()), {}, listed)
    expect(await run(track('u', 'A'))).toMatchObject([{ kind: 'drop' }])
    expect(sent()).toEqual(['again', 'again'])
    const never = harness(() => reply(200, 'no list'), {}, listed)
    expect(await never.run(track('u', 'A'))).toMatchObject([
      { kind: 'fail', error: { message: expect.stringContaining('is no answer') } },
    ])
  })

  it('sends all requests of a postponed event again, because other answers may lead to others', async () => {
    const { deliver, sent } = harness(contact)
    const open = { ask: crmAsk, map: () => [json({ method: 'POST', endpoint: 'https://crm.test/late', body: {} })] }
    const item = { event: track('u', 'A'), userKey: 'u', messageId: 'm', requests: [], open }
    const history = { attempts: 1, done: [0], firstTriedAt: 0 }
    expect(await sendAll(deliver, [{ ...item, history }], live)).toMatchObject([{ items: [{ kind: 'delivered' }] }])
    expect(sent()).toEqual(['again', 'late'])
  })

  it('asks with the tokens of the account', async () => {
    const account = oauth2({
      tokenEndpoint: 'https://crm.test/token',
      grant: 'client_credentials',
      settings: { clientId: 'token', clientSecret: 'token' },
    })
    const authorized: unknown[] = []
    const { run } = harness(
      (sending) => {
        authorized.push(sending.headers['Authorization'])
        return sending.endpoint.endsWith('/token') ? reply(200, '{"access_token":"t1"}') : contact(sending)
      },
      {},
      { ...crm, account },
    )
    await run(track('u', 'A'))
    expect(authorized).toEqual([undefined, 'Bearer t1', 'Bearer t1'])
  })
})

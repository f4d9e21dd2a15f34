import type { Event, JsonObject, JsonValue } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { batchEvents, isAsk, mapEvent, parseSettings } from '../../kit/index.ts'
import { hubspot } from './hubspot.ts'

const answers = new Map<string, JsonValue>([
  ['properties of contacts', { email: 'string', age: 'number' }],
  ['unique properties of contacts', { email: true, phone: false }],
])

const withoutUnique = new Map([...answers].slice(0, 1))

function settingsOf(given: JsonObject = {}): JsonObject {
  const parsed = parseSettings(hubspot, {
    authorizationType: 'newPrivateAppApi',
    accessToken: 'token',
    apiVersion: 'newApi',
    lookupField: 'email',
    ...given,
  })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.settings
}

const identify = (email: string, traits: JsonObject = {}): Event => ({ type: 'identify', traits: { email, ...traits } })

describe('contacts of HubSpot', () => {
  const map = (event: Event, given?: JsonObject) => mapEvent(hubspot, event, settingsOf(given), { now: 0, answers })

  const refused: readonly { readonly name: string; readonly event: Event; readonly settings?: JsonObject }[] = [
    { name: 'without an email', event: { type: 'identify', traits: { phone: '1' } } },
    { name: 'with an invalid email', event: identify('ada') },
    { name: 'with a value that does not fit its property', event: identify('a@x.test', { age: 'old' }) },
    {
      name: 'of a row without an external id',
      event: { ...identify('a@x.test'), context: { mappedToDestination: true } },
    },
    { name: 'without an email at the old API', event: { type: 'identify' }, settings: { apiVersion: 'legacyApi' } },
  ]
  for (const { name, event, settings } of refused) {
    it(`${name} are refused`, () => expect(map(event, settings)).toMatchObject({ errorType: 'instrumentation' }))
  }

  it('are searched when the lookup field does not identify them', () => {
    const asked = map(identify('a@x.test', { phone: '1' }), { lookupField: 'phone' })
    expect(isAsk(asked) && asked.request.endpoint).toBe('https://api.hubapi.com/crm/v3/objects/contacts/search')
    const reply = { status: 200, headers: {}, body: { results: [{ id: '1' }, { id: '2' }] } }
    expect(isAsk(asked) && asked.read(reply)).toMatchObject({ errorType: 'instrumentation' })
    expect(isAsk(asked) && asked.read({ ...reply, body: { results: [{ id: '1' }] } })).toBe('1')
  })

  it('are requested again when a catalogue or a search cannot be read', () => {
    const readers = [
      mapEvent(hubspot, identify('a@x.test'), settingsOf(), { now: 0 }),
      mapEvent(hubspot, identify('a@x.test'), settingsOf(), { now: 0, answers: withoutUnique }),
      map(identify('a@x.test', { phone: '1' }), { lookupField: 'phone' }),
    ].map((asked) => (isAsk(asked) ? asked.read : () => 'no question'))
    for (const body of ['<html>', { error: 'busy' }, { results: 'none' }]) {
      expect(readers.map((read) => read({ status: 200, headers: {}, body }))).toEqual([undefined, undefined, undefined])
    }
  })

  it('need access to HubSpot', () => {
    expect(map(identify('a@x.test'), { accessToken: '' })).toMatchObject({ errorType: 'configuration' })
  })
})

describe('batches of HubSpot', () => {
  const events = [
    identify('a@x.test', { age: 1, phone: '1' }),
    identify('b@x.test'),
    identify('a@x.test', { age: 2 }),
    identify('c@x.test'),
  ]
  const inputs = events.map((event, index) => ({ event, userKey: `u${index}`, context: { now: 0, answers } }))
  const [batch] = batchEvents(hubspot, inputs, settingsOf()).batches
  const [request] = batch?.requests ?? []

  it('merge changes of one contact, and keep their parts together', () => {
    expect(request?.body.JSON['inputs']).toMatchObject([
      { id: 'a@x.test', properties: { age: 2, phone: '1' }, objectWriteTraceId: '0+2' },
      { id: 'b@x.test', objectWriteTraceId: '1' },
      { id: 'c@x.test', objectWriteTraceId: '3' },
    ])
    expect(batch?.parts[0]?.map(({ index }) => index)).toEqual([0, 2, 1, 3])
  })

  it('have a verdict for each event', () => {
    if (!request) throw new Error('there is no request')
    const errors = [{ message: 'no', context: { objectWriteTraceId: ['0+2'] } }]
    const verdict = hubspot.respond?.({ status: 207, headers: {}, body: { results: [{}], errors } }, request)
    expect(verdict?.items?.map(({ status }) => status)).toEqual([400, 400, 200, 200])
    const silent = hubspot.respond?.({ status: 200, headers: {}, body: { results: [] } }, request)
    expect(silent?.items?.map(({ status }) => status)).toEqual([400, 400, 400, 400])
  })

  it('keep the events of a user in order', () => {
    const settings = settingsOf({
      hubspotEvents: [{ rsEventName: 'Read', hubspotEventName: 'pe1', eventProperties: [] }],
    })
    const track: Event = { type: 'track', event: 'read', properties: { email: 'a@x.test' } }
    const mixed = [identify('a@x.test'), track, identify('a@x.test'), identify('b@x.test')]
    const users = ['u1', 'u1', 'u1', 'u2']
    const { batches } = batchEvents(
      hubspot,
      mixed.map((event, index) => ({ event, userKey: users[index] ?? '', context: { now: 0, answers } })),
      settings,
    )
    expect(batches.map(({ indexes }) => indexes)).toEqual([[0, 3], [1], [2]])
  })
})

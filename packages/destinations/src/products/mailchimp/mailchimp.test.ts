import type { Event, JsonObject, JsonValue } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { batchEvents, mapEvent, parseSettings } from '../../kit/index.ts'
import { mailchimp } from './mailchimp.ts'

const given = { apiKey: 'key', audienceId: 'a1', datacenterId: 'us20', enableMergeFields: true }
const parsed = parseSettings(mailchimp, given)
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
const { settings } = parsed

const answers = new Map<string, JsonValue>([['member a@x.test', 'subscribed']])

const bodyOf = (event: Event) => {
  const mapped = mapEvent(mailchimp, event, settings, { now: 0, answers })
  return Array.isArray(mapped) ? mapped[0]?.body.JSON : mapped
}

describe('merge fields of Mailchimp', () => {
  const mergeFieldsOf = (traits: JsonObject) =>
    Object(bodyOf({ type: 'identify', traits: { email: 'A@x.test', ...traits } })).merge_fields

  it('have an address if it is complete', () => {
    const address = { addressLine1: 'Ash Lane 5', city: 'Ghent', state: 'VOV', zip: '9000' }
    expect(mergeFieldsOf(address)).toEqual({
      ADDRESS: { addr1: 'Ash Lane 5', city: 'Ghent', state: 'VOV', zip: '9000' },
    })
    expect(mergeFieldsOf({ city: 'Ghent' })).toEqual({ CITY: 'Ghent' })
  })

  it('leave out what is no plain value', () => {
    expect(mergeFieldsOf({ favouriteColour: 'blue', tags: ['a'], note: null })).toEqual({ FAVOURITEC: 'blue' })
  })
})

describe('members of Mailchimp', () => {
  it('must have a status that Mailchimp knows', () => {
    const event: Event = {
      type: 'identify',
      traits: { status: 'subscrib' },
      context: { mappedToDestination: true, externalId: [{ identifierType: 'email_address', id: 'a@x.test' }] },
    }
    expect(bodyOf(event)).toMatchObject({ errorType: 'instrumentation' })
  })

  it('are joined, and have a verdict each', () => {
    const row = (id: string): Event => ({
      type: 'identify',
      traits: { status: 'subscribed' },
      context: { mappedToDestination: true, externalId: [{ identifierType: 'email_address', id }] },
    })
    const [batch] = batchEvents(
      mailchimp,
      ['a@x.test', 'B@x.test'].map((id) => ({ event: row(id), userKey: id, context: { now: 0 } })),
      settings,
    ).batches
    const [request] = batch?.requests ?? []
    expect(request?.body.JSON).toMatchObject({ members: [{}, {}], update_existing: true })
    if (!request) throw new Error('there is no request')
    const body = { errors: [{ email_address: 'b@x.test', error: 'is fake' }] }
    const verdict = mailchimp.respond?.({ status: 200, headers: {}, body }, request)
    expect(verdict?.items?.map(({ status }) => status)).toEqual([200, 400])
  })
})

describe('settings of Mailchimp', () => {
  it('refuse a data center that would lead to another host', () => {
    expect(parseSettings(mailchimp, { ...given, datacenterId: 'evil.test/' }).ok).toBe(false)
    expect(parseSettings(mailchimp, { ...given, datacenterId: '{{ event.center || "us20" }}' }).ok).toBe(false)
  })
})

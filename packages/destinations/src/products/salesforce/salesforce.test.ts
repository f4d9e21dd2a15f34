import type { Event, JsonObject, JsonValue } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { type DestinationReply, isAsk, json, mapEvent, parseSettings } from '../../kit/index.ts'
import { salesforce } from './salesforce.ts'

const tokens = { access_token: 'token', instance_url: 'https://acme.test' }

function map(event: Event, given: JsonObject = {}, answers: Readonly<Record<string, JsonValue>> = {}) {
  const parsed = parseSettings(salesforce, given)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return mapEvent(salesforce, event, parsed.settings, { now: 0, tokens, answers: new Map(Object.entries(answers)) })
}

const named = (type: string): Event => ({
  type: 'identify',
  traits: { firstName: 'Ada', plan: 'pro', note: null },
  context: { externalId: [{ type, id: 'r1' }] },
})

describe('records of Salesforce', () => {
  it('that the sender names are updated without a search', () => {
    expect(map(named('Salesforce-Lead'))).toMatchObject([
      {
        endpoint: 'https://acme.test/services/data/v50.0/sobjects/Lead/r1?_HttpMethod=PATCH',
        body: { JSON: { FirstName: 'Ada', LastName: 'n/a', Company: 'n/a', plan__c: 'pro' } },
      },
    ])
  })

  it('of other kinds get traits as they are, as do all when the settings say so', () => {
    const traits = { firstName: 'Ada', plan: 'pro', note: null }
    expect(map(named('Salesforce-Thing__c'))).toMatchObject([{ body: { JSON: traits } }])
    expect(map(named('Salesforce-Lead'), { mapProperties: false })).toMatchObject([{ body: { JSON: traits } }])
  })

  it('are searched by the field of a row, and found only by the same value', () => {
    const asked = map({
      type: 'identify',
      context: { mappedToDestination: true, externalId: [{ type: 'SALESFORCE-Shirt', identifierType: 'Sku', id: 7 }] },
    })
    const reply = {
      status: 200,
      headers: {},
      body: {
        searchRecords: [
          { Id: 'a', Sku: '71' },
          { Id: 'b', Sku: '7' },
        ],
      },
    }
    expect(isAsk(asked) && asked.read(reply)).toBe('b')
    expect(isAsk(asked) && asked.read({ ...reply, body: '<html>' })).toBe(undefined)
  })

  const lead: Event = { type: 'identify', traits: { email: 'a@x.test' } }
  const refused: readonly { readonly name: string; readonly event: Event; readonly answer?: JsonValue }[] = [
    { name: 'a lead without an email', event: { type: 'identify' } },
    { name: 'a lead that was deleted', event: lead, answer: { Id: 'l1', IsDeleted: true } },
    { name: 'a record without a kind', event: named('Salesforce-') },
    { name: 'a type in upper case', event: { ...lead, type: 'IDENTIFY' } },
  ]
  for (const { name, event, answer } of refused) {
    it(`refuse ${name}`, () => {
      const answers: Record<string, JsonValue> = answer === undefined ? {} : { 'lead "a@x.test"': answer }
      expect(map(event, {}, answers)).toMatchObject({ errorType: 'instrumentation' })
    })
  }

  it('of converted leads stay leads unless the settings say otherwise', () => {
    const answers = { 'lead "a@x.test"': { Id: 'l1', IsConverted: true, ConvertedContactId: 'c1' } }
    const pathOf = (settings: JsonObject) => {
      const mapped = map(lead, settings, answers)
      return Array.isArray(mapped) ? mapped[0]?.endpoint.split('/').slice(-2).join('/') : undefined
    }
    expect([pathOf({}), pathOf({ useContactId: true })]).toEqual([
      'Lead/l1?_HttpMethod=PATCH',
      'Contact/c1?_HttpMethod=PATCH',
    ])
  })
})

describe('replies of Salesforce', () => {
  const request = json({ method: 'POST', endpoint: 'https://acme.test', body: {} })
  const outcome = (status: number, body: DestinationReply['body']) =>
    salesforce.respond?.({ status, headers: {}, body }, request).outcome
  it('are read by their codes', () => {
    expect([
      outcome(201, { id: 'a' }),
      outcome(401, [{ errorCode: 'INVALID_SESSION_ID' }]),
      outcome(403, [{ errorCode: 'REQUEST_LIMIT_EXCEEDED' }]),
      outcome(400, [{ errorCode: 'INVALID_FIELD' }]),
      outcome(503, 'down'),
    ]).toEqual(['delivered', 'retry', 'throttled', 'aborted', 'retry'])
  })
})

import type { Event, JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { type DestinationReply, json, mapEvent, parseSettings } from '../../kit/index.ts'
import { intercom } from './intercom.ts'

const bodyOf = (event: Event, given: JsonObject) => {
  const parsed = parseSettings(intercom, { apiKey: 'key', apiVersion: 'v1', ...given })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const mapped = mapEvent(intercom, event, parsed.settings, { now: 0 })
  return Array.isArray(mapped) ? mapped.map(({ body }) => body.JSON) : mapped
}

describe('version 1.4 of Intercom', () => {
  it('gets users with their company', () => {
    const event = { type: 'identify', userId: 'u1', traits: { company: { name: 'Acme', plan: ['a'], size: null } } }
    expect(bodyOf(event, { updateLastRequestAt: false })).toMatchObject([
      {
        user_id: 'u1',
        update_last_request_at: false,
        companies: [{ company_id: expect.stringMatching(/^[0-9a-f]{32}$/), custom_attributes: { plan: '["a"]' } }],
      },
    ])
  })

  it('gets a company, and then its user, if the user is known', () => {
    const event: Event = { type: 'group', groupId: 'g1', traits: { email: 'info@acme.test' } }
    const company = { company_id: 'g1', custom_attributes: { email: 'info@acme.test' } }
    expect(bodyOf(event, {})).toEqual([company])
    const user = { email: 'ada@example.com', companies: [{ company_id: 'g1' }] }
    expect(bodyOf({ ...event, context: { traits: { email: 'ada@example.com' } } }, {})).toEqual([company, user])
  })

  it('gets anonymous users if the settings say so', () => {
    const event: Event = { type: 'track', event: 'Read', anonymousId: 'a1' }
    expect(bodyOf(event, { sendAnonymousId: true })).toEqual([{ event_name: 'Read', user_id: 'a1' }])
  })
})

describe('replies of Intercom', () => {
  it('about a conflict are retried, because the next search finds the contact', () => {
    const reply: DestinationReply = { status: 409, headers: {}, body: null }
    const request = json({ method: 'POST', endpoint: 'https://api.intercom.io/contacts', body: {} })
    expect(intercom.respond?.(reply, request)).toMatchObject({ outcome: 'retry', status: 500 })
  })
})

import type { Event, JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { batchEvents, mapEvent, parseSettings } from '../../kit/index.ts'
import { sendgrid } from './sendgrid.ts'

function settingsOf(given: JsonObject = {}): JsonObject {
  const parsed = parseSettings(sendgrid, {
    apiKey: 'key',
    fromEmail: 'shop@example.com',
    eventNamesSettings: [{ event: 'Sold' }],
    ...given,
  })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.settings
}

const mailOf = (properties: JsonObject, given?: JsonObject, event: JsonObject = {}) => {
  const mapped = mapEvent(sendgrid, { type: 'track', event: 'sold', properties, ...event }, settingsOf(given), {
    now: 0,
  })
  return Array.isArray(mapped) ? mapped[0]?.body.JSON : mapped
}

const personalizations = [{ to: [{ email: 'a@x.test' }, { name: 'no email' }] }, { to: [] }]

describe('mails of SendGrid', () => {
  it('go to receivers with an email only', () => {
    expect(mailOf({ personalizations })).toEqual({
      personalizations: [{ to: [{ email: 'a@x.test' }] }],
      from: { email: 'shop@example.com' },
    })
  })

  it('go to the user if the settings say so', () => {
    const traits = { context: { traits: { email: 'b@x.test' } } }
    expect(mailOf({}, { mailFromTraits: true }, traits)).toMatchObject({
      personalizations: [{ to: [{ email: 'b@x.test' }] }],
    })
    expect(mailOf({}, {}, traits)).toMatchObject({ errorType: 'instrumentation' })
  })

  it('have the settings that are not empty', () => {
    const given = {
      text: null,
      sandboxMode: true,
      subscriptionTracking: true,
      group: '7',
      groupsToDisplay: [{ groupId: '7' }, { groupId: 'abc' }],
      attachments: [{ content: 'a2lsbg==', filename: 'a.txt', contentId: 'c1' }, { content: '' }],
    }
    expect(mailOf({ personalizations, subject: 'Own', size: 3 }, given)).toMatchObject({
      subject: 'Own',
      asm: { group_id: 7, groups_to_display: [7] },
      mail_settings: { sandbox_mode: { enable: true } },
      tracking_settings: { subscription_tracking: { enable: true } },
      attachments: [{ content: 'a2lsbg==', filename: 'a.txt', content_id: 'c1' }],
      custom_args: { size: 3 },
    })
  })
})

describe('batches of SendGrid', () => {
  it('join contacts, and send mails alone', () => {
    const identify = (email: string): Event => ({ type: 'identify', traits: { email } })
    const mail: Event = { type: 'track', event: 'Sold', properties: { personalizations } }
    const events = [identify('a@x.test'), mail, identify('b@x.test')]
    const { batches } = batchEvents(
      sendgrid,
      events.map((event) => ({ event, userKey: '', context: { now: 0 } })),
      settingsOf({ listId: 'l1' }),
    )
    expect(batches.map(({ indexes, batched }) => [indexes, batched])).toEqual([
      [[0, 2], true],
      [[1], false],
    ])
    expect(batches[0]?.requests[0]?.body.JSON).toEqual({
      list_ids: ['l1'],
      contacts: [
        { email: 'a@x.test', custom_fields: {} },
        { email: 'b@x.test', custom_fields: {} },
      ],
    })
  })
})

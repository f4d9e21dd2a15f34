import type { JsonObject, JsonValue } from '@sluice/core'
import {
  configurationError,
  defineDestination,
  defined,
  externalId,
  instrumentationError,
  isKnown,
  isMappingError,
  jointRequest,
  json,
  pack,
  specifiedName,
} from '../../kit/index.ts'
import { contactMapping, sendgridContact, sendgridHeaders } from './sendgrid-contact.ts'
import { sendgridDeletion } from './sendgrid-deletion.ts'
import { sendgridExamples } from './sendgrid-examples.ts'
import { sendgridMail } from './sendgrid-mail.ts'
import { sendgridSettings } from './sendgrid-settings.ts'

const contactsMax = 30_000 // source: SendGrid docs, Add or update a contact
const bytesMax = 6_000_000

const ownListIds = externalId('listIds')

/** Returns the lists that an event names for its contact: a text or a list of texts. */
function listIdsOf(event: JsonObject): JsonValue | undefined {
  const lists = ownListIds(event)
  return Array.isArray(lists) && lists.length === 0 ? undefined : lists || undefined
}

/**
 * Adds contacts to SendGrid, and sends mails for track events that the settings name.
 *
 * Source: RudderStack docs, SendGrid destination; SendGrid docs, Marketing contacts and Mail Send; recorded behaviour of
 * RudderStack's sendgrid destination.
 */
export const sendgrid = defineDestination({
  type: 'SENDGRID',
  displayName: 'Sendgrid',
  supports: ['track', 'identify'],
  settings: sendgridSettings,
  secrets: ['apiKey'],
  mappings: { contact: contactMapping },
  requests(event, settings, context) {
    const headers = sendgridHeaders(settings)
    if (event.type === 'identify') {
      const contact = sendgridContact(event, settings, context)
      if (!isKnown(contact)) return contact
      // As in RudderStack, contacts get the form of the API when they are batched.
      const body = { contactDetails: contact, contactListIds: listIdsOf(event) ?? settings.listId ?? '' }
      return json({ method: 'PUT', endpoint: 'https://api.sendgrid.com/v3/marketing/contacts', headers, body })
    }
    const { event: name } = event
    if (typeof name !== 'string' || name === '') return instrumentationError('a track event needs a name')
    const wanted = specifiedName(name)
    if (!settings.eventNamesSettings.some(({ event: each }) => each && specifiedName(each) === wanted)) {
      return configurationError('the settings do not name this event')
    }
    const body = sendgridMail(event, settings)
    if (isMappingError(body)) return body
    return json({ method: 'POST', endpoint: 'https://api.sendgrid.com/v3/mail/send', headers, body })
  },
  limits: [
    `A batch has at most ${contactsMax} contacts and ${bytesMax} bytes. Mails are sent alone.`,
    'SendGrid stores contacts some time after it has accepted them.',
    'Contacts are deleted by their SendGrid id, which must be the userId.',
  ],
  batch: pack({
    isJoinable: ({ body }) => body.JSON['contactDetails'] !== undefined,
    key: ({ request: { endpoint, headers, body } }) => JSON.stringify([endpoint, headers, body.JSON['contactListIds']]),
    itemsMax: contactsMax,
    bytesMax,
    merge(items) {
      const [{ request }] = items
      const { contactListIds: list } = request.body.JSON
      const contacts = items.map((item) => item.request.body.JSON['contactDetails'] ?? null)
      const body = defined({ list_ids: list ? [list].flat() : undefined, contacts })
      return jointRequest(request, body)
    },
  }),
  deletion: sendgridDeletion,
  examples: sendgridExamples,
})

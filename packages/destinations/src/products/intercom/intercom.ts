import type { JsonObject } from '@sluice/core'
import {
  ask,
  configurationError,
  convert,
  defineDestination,
  defined,
  encodeSegment,
  firstAt,
  generic,
  instrumentationError,
  isKnown,
  isMappingError,
  type Mapped,
  type MappingContext,
  type TypedEvent,
  valueAt,
  verdictByStatus,
} from '../../kit/index.ts'
import { searchContact } from './contact-search.ts'
import { companyMapping } from './intercom-company.ts'
import { contactMappings, contactOf } from './intercom-contact.ts'
import { intercomDeletion } from './intercom-deletion.ts'
import { eventMapping, intercomEvent } from './intercom-event.ts'
import { intercomExamples } from './intercom-examples.ts'
import { intercomRequest } from './intercom-request.ts'
import { type IntercomSettings, intercomSettings } from './intercom-settings.ts'

/**
 * Sends contacts, events and companies to Intercom.
 *
 * Source: RudderStack docs, Intercom destination; Intercom docs, API 2.10 and 1.4; recorded behaviour of RudderStack's
 * intercom destination.
 */
export const intercom = defineDestination({
  type: 'INTERCOM',
  displayName: 'Intercom',
  otherNames: [],
  supports: ['identify', 'track', 'group'],
  settings: intercomSettings,
  secrets: ['apiKey'],
  mappings: { ...contactMappings, company: companyMapping, event: eventMapping },
  requests(event, settings, context) {
    if (!settings.apiKey) return configurationError('apiKey is needed to send events')
    if (event.type === 'track') return tracked(event, settings)
    if (event.type === 'group') return grouped(event, settings, context)
    return identified(event, settings, context)
  },
  limits: [
    'Contacts are searched by email (or the trait that the integrations object names as lookup) and userId first.',
    'Nested traits are custom attributes on one level. Intercom refuses those that do not exist in the workspace.',
    'Users are deleted by their Intercom id, which must be the userId.',
  ],
  // A conflict means that another event has created the contact since the search.
  respond: (reply) => verdictByStatus({ status: reply.status === 409 || reply.status === 408 ? 500 : reply.status }),
  deletion: intercomDeletion,
  examples: intercomExamples,
})

const isIdentified = (body: JsonObject): boolean =>
  Boolean(body['email'] || body['external_id'] || body['user_id'] || body['id'])

const missing = () => instrumentationError('the event needs an email or a userId')

const userIdOf = firstAt(generic.userIdOnly)
const memberIdOf = firstAt(['userId', 'context.traits.userId', 'context.traits.id'])

function identified(event: TypedEvent, settings: IntercomSettings, context: MappingContext): Mapped {
  const contact = contactOf(event, settings)
  if (isMappingError(contact)) return contact
  if (!isIdentified(contact)) return missing()
  if (settings.apiVersion === 'v1') return intercomRequest('users', contact, settings, { event })
  const isAnonymous = contact['external_id'] === event['anonymousId'] && !userIdOf(event)
  const externalId = isAnonymous ? undefined : contact['external_id']
  const id = searchContact(event, { email: contact['email'], externalId }, settings, context)
  if (!isKnown(id)) return id
  if (id === null) return intercomRequest('contacts', contact, settings)
  return intercomRequest(`contacts/${encodeSegment(id)}`, contact, settings, { method: 'PUT' })
}

function tracked(event: TypedEvent, settings: IntercomSettings): Mapped {
  const body = intercomEvent(event, settings)
  if (isMappingError(body)) return body
  return isIdentified(body) ? intercomRequest('events', body, settings, { event }) : missing()
}

/** The traits of a group event are those of the company; those of its context are those of the user. */
function grouped(event: TypedEvent, settings: IntercomSettings, context: MappingContext): Mapped {
  if (!event['groupId']) return instrumentationError('a group event needs a groupId')
  const company = companyMapping(event, settings)
  if (isMappingError(company)) return company
  const email = valueAt(event, ['context', 'traits', 'email'])
  if (settings.apiVersion === 'v1') return oldGrouped(event, company, settings)
  const contact = searchContact(event, { email, externalId: memberIdOf(event) }, settings, context)
  if (!isKnown(contact)) return contact
  if (contact === null) return intercomRequest('companies', company, settings)
  const id = ask(context, {
    key: `company ${JSON.stringify(company)}`,
    request: intercomRequest('companies', company, settings),
    read: ({ body }) => valueAt(body, ['id']) ?? instrumentationError('Intercom returned no id of the company'),
    ttlMs: 0,
    changesData: true,
  })
  if (!isKnown(id)) return id
  const attached = intercomRequest(`contacts/${encodeSegment(contact)}/companies`, { id }, settings)
  const tags = valueAt(event, ['context', 'traits', 'tags'])
  const names = Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : []
  return [attached, ...names.map((name) => intercomRequest('tags', { name, companies: [{ id }] }, settings))]
}

function oldGrouped(event: TypedEvent, company: JsonObject, settings: IntercomSettings): Mapped {
  const userId = memberIdOf(event)
  const email = valueAt(event, ['context', 'traits', 'email'])
  const created = intercomRequest('companies', company, settings, { event })
  if (!userId && !email) return [created]
  const { company_id, name } = company
  const user = defined({
    user_id: userId ? convert.text(userId) : undefined,
    email: email || undefined,
    companies: [defined({ company_id, name })],
  })
  return [created, intercomRequest('users', user, settings, { event })]
}

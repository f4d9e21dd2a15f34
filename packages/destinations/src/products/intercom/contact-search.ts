import type { JsonObject, JsonValue } from '@sluice/core'
import { ask, eventOptions, type MappingContext, valueAt } from '../../kit/index.ts'
import { intercomRequest } from './intercom-request.ts'
import type { IntercomSettings } from './intercom-settings.ts'

interface Searched {
  readonly email?: JsonValue | undefined
  readonly externalId?: JsonValue | undefined
}

/**
 * Asks Intercom for the id of a contact: null when there is none. The integrations object may name another trait than
 * the email to search by (`lookup`). Source: Intercom docs, Search contacts; RudderStack docs, Intercom, lookup.
 */
export function searchContact(
  event: JsonObject,
  { email, externalId }: Searched,
  settings: IntercomSettings,
  context: MappingContext,
) {
  const lookup = lookupOf(event)
  const value =
    lookup === 'email' ? email : (valueAt(event, ['traits', lookup]) ?? valueAt(event, ['context', 'traits', lookup]))
  const terms = [
    ...(value ? [{ field: lookup, operator: '=', value }] : []),
    ...(externalId ? [{ field: 'external_id', operator: '=', value: externalId }] : []),
  ]
  if (terms.length === 0) return null
  const query = { operator: terms.length > 1 ? 'OR' : 'AND', value: terms }
  return ask(context, {
    key: `contact ${JSON.stringify(terms)}`,
    request: intercomRequest('contacts/search', { query }, settings),
    read: ({ body }) => valueAt(body, ['data', '0', 'id']) ?? null,
    ttlMs: 0, // another event may create the contact
  })
}

const optionsOf = eventOptions('INTERCOM')

function lookupOf(event: JsonObject): string {
  const { lookup } = optionsOf(event)
  return typeof lookup === 'string' && lookup !== '' ? lookup : 'email'
}

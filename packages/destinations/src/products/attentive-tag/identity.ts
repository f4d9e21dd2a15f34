import type { JsonObject } from '@sluice/core'
import {
  type DeliveryRequest,
  defined,
  instrumentationError,
  type MappingError,
  type TypedEvent,
  traitsOf,
} from '../../kit/index.ts'
import { attentiveRequest } from './attentive-request.ts'
import type { AttentiveTagSettings } from './attentive-tag-settings.ts'
import { externalIdentifiersOf, unlessEmpty } from './attentive-user.ts'

/**
 * Maps an identify event to the identifiers of a user, when there are some of Attentive and some of other systems, and
 * to its other traits as attributes.
 */
export function identity(event: TypedEvent, settings: AttentiveTagSettings): readonly DeliveryRequest[] | MappingError {
  const { email, phone, customIdentifiers: _, ...properties } = traitsOf(event)
  const contact: JsonObject = defined({ phone: phone || undefined, email: email || undefined })
  const externalIdentifiers = externalIdentifiersOf(event)
  const hasContact = Object.keys(contact).length > 0
  const hasExternal = Object.keys(externalIdentifiers).length > 0
  const requests: DeliveryRequest[] = []
  const { clientUserId, customIdentifiers } = externalIdentifiers
  if (hasExternal && (hasContact || (clientUserId && customIdentifiers))) {
    const identifiers = { ...contact, ...externalIdentifiers }
    requests.push(attentiveRequest('/identity-resolution/user-identifiers', settings, identifiers))
  }
  if ((hasContact || hasExternal) && Object.keys(properties).length > 0) {
    const user = { ...contact, ...unlessEmpty({ externalIdentifiers }) }
    requests.push(attentiveRequest('/attributes/custom', settings, { user, properties }))
  }
  return requests.length > 0
    ? requests
    : instrumentationError('the event needs identifiers of a user, and other traits')
}

import type { JsonObject } from '@sluice/core'
import {
  convert,
  defined,
  eventOptions,
  externalId,
  firstAt,
  generic,
  isPresent,
  mappedRowOf,
  objectOrEmpty,
} from '../../kit/index.ts'

const userIdOf = firstAt(generic.userIdOnly, isPresent)

/** Returns the id that the sender gave for Braze alone. Source: RudderStack docs, Braze, external id. */
const brazeIdOf = externalId('brazeExternalId')

/** Returns what the integrations object of an event says for Braze. */
export const optionsOf = eventOptions('BRAZE')

/** Returns the external id of the person of an event: that of a warehouse row, otherwise the userId. */
export function externalIdOf(event: JsonObject): string | undefined {
  const row = mappedRowOf(event)
  const own = row?.field === 'external_id' ? row.id : brazeIdOf(event)
  const id = isPresent(own) ? own : userIdOf(event)
  return id === undefined ? undefined : convert.text(id)
}

/** Returns the alias of an anonymous person: that of the integrations object, otherwise the anonymousId. */
export function aliasOf(event: JsonObject): JsonObject | undefined {
  const { alias_name, alias_label } = objectOrEmpty(optionsOf(event)['alias'])
  if (alias_name && alias_label) return { alias_name, alias_label }
  const { anonymousId } = event
  return anonymousId ? { alias_name: anonymousId, alias_label: 'rudder_id' } : undefined
}

/** Returns the members by which Braze finds the person of an attribute, event or purchase. */
export function personOf(event: JsonObject): JsonObject {
  const id = externalIdOf(event)
  if (id !== undefined) return { external_id: id }
  const alias = aliasOf(event)
  // Anonymous people are created, which Braze does not do by default for aliases.
  return defined({ _update_existing_only: false, user_alias: alias })
}

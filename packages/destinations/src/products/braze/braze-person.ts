import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, firstAt, generic, mappedRowOf, valueAt } from '../../kit/index.ts'

const isPresent = (value: JsonValue | undefined) => value !== undefined && value !== null && value !== ''

const userIdOf = firstAt(generic.userIdOnly, isPresent)

/** Returns the external id of the person of an event: that of a warehouse row, otherwise the userId. */
export function externalIdOf(event: JsonObject): string | undefined {
  const row = mappedRowOf(event)
  const id = row?.field === 'external_id' ? row.id : (brazeIdOf(event) ?? userIdOf(event))
  return id === undefined ? undefined : convert.text(id)
}

/** Returns the id that the sender gave for Braze alone. Source: RudderStack docs, Braze, external id. */
function brazeIdOf(event: JsonObject): JsonValue | undefined {
  const ids = valueAt(event, ['context', 'externalId'])
  const own = Array.isArray(ids)
    ? ids.find((each) => isJsonObject(each) && each['type'] === 'brazeExternalId')
    : undefined
  return isJsonObject(own) && isPresent(own['id']) ? own['id'] : undefined
}

/** Returns the alias of an anonymous person: that of the integrations object, otherwise the anonymousId. */
export function aliasOf(event: JsonObject): JsonObject | undefined {
  const own = optionsOf(event)['alias']
  if (isJsonObject(own) && own['alias_name'] && own['alias_label']) {
    return { alias_name: own['alias_name'], alias_label: own['alias_label'] }
  }
  const { anonymousId } = event
  return anonymousId ? { alias_name: anonymousId, alias_label: 'rudder_id' } : undefined
}

/** Returns the members by which Braze finds the person of an attribute, event or purchase. */
export function personOf(event: JsonObject): JsonObject {
  const id = externalIdOf(event)
  if (id !== undefined) return { external_id: id }
  const alias = aliasOf(event)
  // Anonymous people are created, which Braze does not do by default for aliases.
  return { _update_existing_only: false, ...(alias && { user_alias: alias }) }
}

/** Returns what the integrations object of an event says for Braze. */
export function optionsOf({ integrations }: JsonObject): JsonObject {
  if (!isJsonObject(integrations)) return {}
  const options = integrations['Braze'] ?? integrations['braze'] ?? integrations['BRAZE']
  return isJsonObject(options) ? options : {}
}

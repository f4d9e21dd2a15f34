import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  convert,
  firstAt,
  flatten,
  generic,
  isMappingError,
  type MappingError,
  mapping,
  setMember,
  to,
  valueAt,
} from '../../kit/index.ts'
import { identifierOf, withExternalId } from './intercom-contact.ts'
import type { IntercomSettings } from './intercom-settings.ts'

/** Members of events besides their metadata and time. Source: Intercom docs, Submit a data event. */
export const eventMapping = mapping([
  to('event_name').from('event').required(),
  to('user_id').compute(identifierOf),
  to('email').from(generic.email),
])

const timeOf = firstAt(generic.timestamp)
const timeNames = { v1: 'created', v2: 'created_at' } as const

/** Returns a track event as a body of the API. */
export function intercomEvent(event: JsonObject, settings: IntercomSettings): JsonObject | MappingError {
  const { context, traits, properties } = event
  const isMapped = isJsonObject(context) && String(context['mappedToDestination']) === 'true'
  // Rows of a warehouse have the names of Intercom already.
  if (isMapped && isJsonObject(traits)) return settings.apiVersion === 'v2' ? withExternalId(traits) : traits
  const mapped = eventMapping(event, settings)
  if (isMappingError(mapped)) return mapped
  const time = convert.seconds(timeOf(event) ?? null)
  return {
    ...mapped,
    ...(isJsonObject(properties) && { metadata: metadataOf(properties) }),
    ...(time !== undefined && { [timeNames[settings.apiVersion]]: time }),
  }
}

/** Metadata has one level, except for amounts of money and links, which Intercom shows as such. */
function metadataOf(properties: JsonObject): JsonObject {
  const plain: Record<string, JsonValue | undefined> = {}
  const special: Record<string, JsonValue | undefined> = {}
  for (const key of Object.keys(properties)) {
    setMember(isSpecial(properties[key]) ? special : plain, key, properties[key])
  }
  return { ...special, ...flatten(plain) }
}

function isSpecial(value: JsonValue | undefined): boolean {
  const has = (name: string): boolean => valueAt(value, [name]) !== undefined
  return isJsonObject(value) && ((has('amount') && has('currency')) || (has('url') && has('value')))
}

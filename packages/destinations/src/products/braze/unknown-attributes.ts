import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type Ask, ask, isKnown, type MappingContext, type MappingError, setMember } from '../../kit/index.ts'
import { aliasOf, externalIdOf } from './braze-person.ts'
import { brazeRequest } from './braze-request.ts'
import type { BrazeSettings } from './braze-settings.ts'

const exported = [
  ...['created_at', 'custom_attributes', 'dob', 'email', 'first_name', 'gender', 'home_city', 'last_name', 'phone'],
  ...['time_zone', 'external_id', 'user_aliases'],
]

/**
 * Returns the attributes that Braze does not have yet. Asks Braze for the user first. Source: Braze docs, Export user
 * profile by identifier.
 */
export function unknownAttributes(
  event: JsonObject,
  attributes: JsonObject,
  settings: BrazeSettings,
  context: MappingContext,
): JsonObject | MappingError | Ask {
  const [id, alias] = [externalIdOf(event), aliasOf(event)]
  const body = {
    ...(id !== undefined && { external_ids: [id] }),
    ...(alias && { user_aliases: [alias] }),
    fields_to_export: exported,
  }
  const known = ask(context, {
    key: `user ${JSON.stringify([id, alias])}`,
    request: brazeRequest('users/export/ids', body, settings),
    read: (reply) => profileIn(reply.body, id, alias),
    ttlMs: 0, // the profile changes with each event
  })
  if (!isKnown(known)) return known
  return isJsonObject(known) ? differing(attributes, known) : attributes
}

function profileIn(body: JsonValue, id: string | undefined, alias: JsonObject | undefined): JsonValue {
  const users = isJsonObject(body) && Array.isArray(body['users']) ? body['users'].filter(isJsonObject) : []
  const isOwn = ({ external_id, user_aliases }: JsonObject): boolean =>
    id !== undefined
      ? external_id === id
      : Array.isArray(user_aliases) &&
        user_aliases.some((each) => isJsonObject(each) && each['alias_name'] === alias?.['alias_name'])
  return users.find(isOwn) ?? null
}

function differing(attributes: JsonObject, profile: JsonObject): JsonObject {
  const custom = isJsonObject(profile['custom_attributes']) ? profile['custom_attributes'] : {}
  const others: Record<string, JsonValue | undefined> = {}
  for (const key of Object.keys(attributes)) {
    const stored = Object.hasOwn(custom, key) ? custom[key] : profile[key]
    if (stored === undefined || !isDeepStrictEqual(stored, attributes[key])) setMember(others, key, attributes[key])
  }
  return others
}

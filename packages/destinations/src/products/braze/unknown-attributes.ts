import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type Ask,
  ask,
  defined,
  isKnown,
  type MappingContext,
  type MappingError,
  objectOrEmpty,
  objectsIn,
  valueAt,
  withoutMembers,
} from '../../kit/index.ts'
import { aliasOf, externalIdOf } from './braze-person.ts'
import { brazeRequest } from './braze-request.ts'
import type { BrazeSettings } from './braze-settings.ts'

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
  const body = defined({
    external_ids: id !== undefined ? [id] : undefined,
    user_aliases: alias ? [alias] : undefined,
    fields_to_export: [
      ...['created_at', 'custom_attributes', 'dob', 'email', 'first_name', 'gender', 'home_city', 'last_name'],
      ...['phone', 'time_zone', 'external_id', 'user_aliases'],
    ],
  })
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
  const isOwn = ({ external_id, user_aliases }: JsonObject): boolean =>
    id !== undefined
      ? external_id === id
      : objectsIn(user_aliases).some(({ alias_name }) => alias_name === alias?.['alias_name'])
  return objectsIn(valueAt(body, ['users'])).find(isOwn) ?? null
}

function differing(attributes: JsonObject, profile: JsonObject): JsonObject {
  const stored = { ...profile, ...objectOrEmpty(profile['custom_attributes']) }
  const isStored = (name: string): boolean => Object.hasOwn(stored, name) && isSameJson(stored[name], attributes[name])
  return withoutMembers(attributes, new Set(Object.keys(attributes).filter(isStored)))
}

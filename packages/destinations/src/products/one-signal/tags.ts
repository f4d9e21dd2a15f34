import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { setMember, traitsOf } from '../../kit/index.ts'
import type { OneSignalSettings } from './one-signal-settings.ts'

type Tags = Record<string, JsonValue | undefined>

/** Returns the traits of an identified user as tags, with the anonymousId. Tags are texts. */
export function userTags(event: JsonObject): JsonObject {
  const traits = traitsOf(event)
  const tags: Tags = {}
  for (const key of Object.keys(traits)) addTag(tags, key, traits[key])
  addTag(tags, 'anonymousId', event['anonymousId'])
  return tags
}

/** Returns the tags of a track event: its name, and its allowed properties. */
export function eventTags(name: string, { properties }: JsonObject, settings: OneSignalSettings): JsonObject {
  const tags: Tags = {}
  setMember(tags, name, true)
  addAllowed(tags, properties, settings, settings.eventAsTags ? `${name}_` : '')
  return tags
}

/** Returns the tags of a user in a group: the id of the group, and its allowed traits. */
export function groupTags(groupId: JsonValue, event: JsonObject, settings: OneSignalSettings): JsonObject {
  const tags: Tags = { groupId }
  addAllowed(tags, traitsOf(event), settings, '')
  return tags
}

function addAllowed(
  tags: Tags,
  given: JsonValue | undefined,
  { allowedProperties }: OneSignalSettings,
  prefix: string,
): void {
  if (!isJsonObject(given)) return
  for (const { propertyName: name } of allowedProperties) {
    if (name && Object.hasOwn(given, name)) addTag(tags, prefix + name, given[name])
  }
}

function addTag(tags: Tags, key: string, value: JsonValue | undefined): void {
  if (typeof value === 'string') setMember(tags, key, value)
}

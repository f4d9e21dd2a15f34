import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, flatten, setMember } from '../../kit/index.ts'

/** Properties that have a place of their own in Meta's event. */
const placed: ReadonlySet<string> = new Set(['opt_out', 'event_id', 'action_source'])

/** Properties that usually contain personal data. Source: RudderStack docs, Facebook Pixel, PII properties. */
const personal: readonly string[] = [
  ...['email', 'firstName', 'lastName', 'firstname', 'lastname', 'first_name', 'last_name'],
  ...['gender', 'city', 'country', 'phone', 'state', 'zip', 'birthday'],
]

/** Returns the properties of an event on one level, without those that have another place. */
export function ownProperties({ properties }: JsonObject): JsonObject {
  const own: Record<string, JsonValue | undefined> = {}
  if (!isJsonObject(properties)) return own
  for (const key of Object.keys(properties)) if (!placed.has(key)) setMember(own, key, properties[key])
  return flatten(own)
}

/** Returns the properties without personal data; what the settings say is hashed, or sent as it is. */
export function withoutPersonalData(properties: JsonObject, settings: JsonObject): JsonObject {
  const rules = rulesOf(settings)
  const kept: Record<string, JsonValue | undefined> = {}
  for (const key of Object.keys(properties)) {
    const value = properties[key]
    const rule = rules.get(key)
    if (rule === undefined) setMember(kept, key, value)
    else if (rule === 'hash' && value !== undefined && value !== null) setMember(kept, key, convert.sha256(value))
  }
  return kept
}

type PrivacyRules = ReadonlyMap<unknown, 'hash' | 'remove'>

const rulesBySettings = new WeakMap<JsonObject, PrivacyRules>()

function rulesOf(settings: JsonObject): PrivacyRules {
  let known = rulesBySettings.get(settings)
  if (!known) {
    const rules = new Map<unknown, 'hash' | 'remove'>(personal.map((name) => [name, 'remove']))
    for (const { whitelistPiiProperties: name } of objectsOf(settings['whitelistPiiProperties'])) rules.delete(name)
    for (const { blacklistPiiProperties: name, blacklistPiiHash: isHashed } of objectsOf(
      settings['blacklistPiiProperties'],
    )) {
      rules.set(name, isHashed === true ? 'hash' : 'remove')
    }
    known = rules
    rulesBySettings.set(settings, known)
  }
  return known
}

function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

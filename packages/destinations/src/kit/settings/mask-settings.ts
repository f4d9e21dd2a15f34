import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { DestinationDefinition, SettingsNode } from '../define/define-destination.ts'

/** Replaces every secret, so that neither its length nor its content is visible. */
export const maskedText = '••••••'

/**
 * Returns the settings without secrets, for displays, API answers and logs.
 *
 * Masks values at secret paths, whatever their type; members that the schema does not declare, since they may be
 * secret; and values with another shape than the schema's where secrets may be.
 */
export function maskSettings(definition: DestinationDefinition, settings: JsonObject): JsonObject {
  return maskMembers(settings, definition.settings, '', new Set(definition.secrets))
}

type Secrets = ReadonlySet<string>

function maskMembers(value: JsonObject, node: SettingsNode, path: string, secrets: Secrets): JsonObject {
  const known = node.properties ?? {}
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const memberNode = Object.hasOwn(known, key) ? known[key] : undefined
      const memberPath = path === '' ? key : `${path}.${key}`
      return [key, memberNode ? mask(member, memberNode, memberPath, secrets) : maskedText]
    }),
  )
}

function mask(value: JsonValue | undefined, node: SettingsNode, path: string, secrets: Secrets): JsonValue | undefined {
  if (secrets.has(path)) return maskedText
  const items = node.items
  if (items && Array.isArray(value)) return value.map((element) => mask(element, items, path, secrets) ?? null)
  if (node.properties && isJsonObject(value)) return maskMembers(value, node, path, secrets)
  const aboveSecret = [...secrets].some((secret) => secret.startsWith(`${path}.`))
  return aboveSecret ? maskedText : value
}

import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { DestinationDefinition, SettingsNode } from '../define/define-destination.ts'

/** Stands wherever a secret was; says nothing about its length or content. */
export const maskedText = '••••••'

/**
 * The settings as anyone may see them: for every display, answer and log line.
 *
 * Masked are the values under the secret paths, whatever their type; members the schema does not know, because nobody
 * said that they are harmless; and values of another shape than the schema's where a secret belongs.
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

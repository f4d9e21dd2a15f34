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
  return maskMembers(settings, definition.settings, '', new Set(definition.secrets), () => maskedText)
}

/**
 * Returns the settings without secrets, and with the members that the schema does not declare, for the clients that sent
 * them and compare what comes back. Of these, texts are masked where a name on their path, or the text, suggests a secret.
 */
export function maskSentSettings(definition: DestinationDefinition, settings: JsonObject): JsonObject {
  return maskMembers(settings, definition.settings, '', new Set(definition.secrets), maskUndeclared)
}

/** Words in the names of members that may hold a secret, such as `sasToken`, `bearerToken` and `headers`. */
const secretNames =
  /key|secret|token|passw|passphrase|pwd|credential|auth|cert|private|signature|header|cookie|webhook/i
/** Names of what is no secret although a word in them may be one: public keys, and roles of AWS. */
const openNames = /(?:public_?key|role_?arn(?:forauth)?)$/i
/** An address with a user or a password, or the text of a key. */
const secretTexts = /:\/\/[^/?#]*@|-----BEGIN/

function maskUndeclared(value: JsonValue | undefined, path: string): JsonValue | undefined {
  if (typeof value === 'string') {
    const isNamed = secretNames.test(path) && !openNames.test(path)
    return isNamed || secretTexts.test(value) ? maskedText : value
  }
  if (Array.isArray(value)) return value.map((item: JsonValue) => maskUndeclared(item, path) ?? null)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, maskUndeclared(member, `${path}.${key}`)]),
  )
}

type Secrets = ReadonlySet<string>
/** Masks a member that the schema does not declare. */
type MaskUndeclared = (value: JsonValue | undefined, path: string) => JsonValue | undefined

function maskMembers(
  value: JsonObject,
  node: SettingsNode,
  path: string,
  secrets: Secrets,
  others: MaskUndeclared,
): JsonObject {
  const known = node.properties ?? {}
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const memberNode = Object.hasOwn(known, key) ? known[key] : undefined
      const memberPath = path === '' ? key : `${path}.${key}`
      return [key, memberNode ? mask(member, memberNode, memberPath, secrets, others) : others(member, memberPath)]
    }),
  )
}

function mask(
  value: JsonValue | undefined,
  node: SettingsNode,
  path: string,
  secrets: Secrets,
  others: MaskUndeclared,
): JsonValue | undefined {
  if (secrets.has(path)) return maskedText
  const items = node.items
  if (items && Array.isArray(value)) return value.map((element) => mask(element, items, path, secrets, others) ?? null)
  if (node.properties && isJsonObject(value)) return maskMembers(value, node, path, secrets, others)
  const aboveSecret = [...secrets].some((secret) => secret.startsWith(`${path}.`))
  return aboveSecret ? maskedText : value
}

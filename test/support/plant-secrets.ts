import type { JsonObject, JsonValue } from '@sluice/core'
import type { DestinationDefinition } from '@sluice/destinations'

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly pattern?: string
  readonly required?: readonly string[]
}

/** The settings with `secret` in every place where one belongs; lists that are empty get an element for it. */
export function plantSecrets(
  { settings: schema, secrets }: DestinationDefinition,
  settings: JsonObject,
  secret: JsonValue,
): JsonObject {
  return secrets.reduce<JsonValue>(
    (planted, path) => plant(schema, planted, path.split('.'), secret),
    settings,
  ) as JsonObject
}

function plant(
  node: SchemaNode,
  value: JsonValue | undefined,
  [key, ...rest]: readonly string[],
  secret: JsonValue,
): JsonValue {
  if (node.items) {
    const { items } = node
    const elements = Array.isArray(value) && value.length > 0 ? value : [requiredOf(items)]
    return elements.map((element) => plant(items, element, key === undefined ? [] : [key, ...rest], secret))
  }
  if (key === undefined) return addressOr(secret, node)
  const object = (value ?? {}) as JsonObject
  return { ...object, [key]: plant(node.properties?.[key] ?? {}, object[key], rest, secret) }
}

/** What must be an address holds the secret in its path. */
function addressOr(secret: JsonValue, { pattern }: SchemaNode): JsonValue {
  return pattern?.includes('https?') && typeof secret === 'string' ? `https://planted.test/${secret}` : secret
}

function requiredOf({ required = [] }: SchemaNode): JsonObject {
  return Object.fromEntries(required.map((key) => [key, 'X-Planted']))
}

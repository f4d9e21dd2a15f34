import type { JsonObject, JsonValue } from '@sluice/core'
import type { DestinationDefinition } from '@sluice/destinations'

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly pattern?: string
  readonly required?: readonly string[]
  readonly description?: string
}

/** The settings with `secret` in every place for secrets; empty lists get an element for it. */
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
  if (key === undefined) return inForm(secret, node)
  const object = (value ?? {}) as JsonObject
  return { ...object, [key]: plant(node.properties?.[key] ?? {}, object[key], rest, secret) }
}

/** In an address the secret is part of the path, in the JSON of a key its private part; in a path or a quoted string it is quoted. */
function inForm(secret: JsonValue, { pattern, description }: SchemaNode): JsonValue {
  if (typeof secret !== 'string') return secret
  if (description?.includes('as JSON text'))
    return JSON.stringify({ client_email: 'a@planted.test', private_key: `PRIVATE KEY ${secret}` })
  if (description?.includes('string in quotes')) return `'${secret}'`
  return pattern?.includes('https?') ? `https://planted.test/${secret}` : secret
}

/** A secret with a name beside it is sent only if the name is set. */
function requiredOf({ required = [], properties = {} }: SchemaNode): JsonObject {
  const named = Object.hasOwn(properties, 'to') ? [...required, 'to'] : required
  return Object.fromEntries(named.map((key) => [key, 'X-Planted']))
}

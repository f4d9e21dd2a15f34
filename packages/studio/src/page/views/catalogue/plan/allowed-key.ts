import type { KeyType } from '../keys/key-rows.ts'

const typeOf: Readonly<Record<KeyType, string>> = {
  text: 'string',
  number: 'number',
  'yes or no': 'boolean',
  object: 'object',
  list: 'array',
}

type Schema = Readonly<Record<string, unknown>>

/**
 * Returns a schema of a plan that also allows a key with a type: one that is not planned is added, one of another type gets one
 * more. Undefined where the schema does not say what the key is by `properties`, `items` and `type` alone.
 */
export function withAllowedKey(schema: unknown, path: readonly string[], type: KeyType): Schema | undefined {
  if (!isSchema(schema) || refersElsewhere(schema)) return undefined
  const [name, ...rest] = path
  if (name === undefined) return withType(schema, typeOf[type])
  const { properties = {}, items } = schema
  if (schema['properties'] === undefined && isSchema(items)) {
    const item = withAllowedKey(items, path, type)
    return item && { ...schema, items: item }
  }
  if (!isSchema(properties)) return undefined
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined
  const allowed = own === undefined ? newKey(rest, type) : withAllowedKey(own, rest, type)
  return allowed && { ...schema, properties: { ...properties, [name]: allowed } }
}

function newKey(path: readonly string[], type: KeyType): Schema | undefined {
  return path.length === 0 ? { type: typeOf[type] } : undefined
}

function withType(schema: Schema, type: string): Schema | undefined {
  const { type: known } = schema
  const types = [known].flat()
  if (known === undefined || 'enum' in schema || 'const' in schema || types.includes(type)) return undefined
  return { ...schema, type: [...types, type] }
}

/** Whether other words than `properties` and `type` say what is allowed. */
function refersElsewhere(schema: Schema): boolean {
  return ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'].some((word) => word in schema)
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

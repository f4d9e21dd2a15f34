import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/** One member of an object, as people read it. */
interface SchemaRow {
  /** `headers[].to` for a member of the elements of a list. */
  readonly name: string
  /** Type, or the values that are allowed. */
  readonly type: string
  /** Whether it is required or secret, and its default. */
  readonly notes: string
  readonly description: string
}

/** Deepest level that is listed. */
const levelsMax = 3

/**
 * Returns a row for each property of a JSON Schema, those of nested objects and of lists' elements included.
 *
 * @param secrets dotted paths; a list counts as its elements.
 */
export function schemaRows(schema: JsonObject, secrets: readonly string[] = []): readonly SchemaRow[] {
  return rowsOf(schema, { name: '', path: '', level: 1 }, secrets)
}

interface Place {
  readonly name: string
  readonly path: string
  readonly level: number
}

function rowsOf(schema: JsonObject, { name, path, level }: Place, secrets: readonly string[]): readonly SchemaRow[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(objectOf(schema['properties'])).flatMap(([key, member]): readonly SchemaRow[] => {
    const node = objectOf(member)
    const at = `${path}${key}`
    const row = {
      name: `${name}${key}`,
      type: typeText(node),
      notes: notesOf(node, required.includes(key), isSecret(at, secrets)),
      description: String(node['description'] ?? ''),
    }
    if (level === levelsMax) return [row]
    const items = isJsonObject(node['items']) ? node['items'] : undefined
    const inside = { name: `${row.name}${items ? '[]' : ''}.`, path: `${at}.`, level: level + 1 }
    return [row, ...rowsOf(items ?? node, inside, secrets)]
  })
}

function notesOf(node: JsonObject, isRequired: boolean, isHidden: boolean): string {
  const { default: fallback } = node
  return [
    // With a default, a value need not be given.
    ...(isRequired && fallback === undefined ? ['required'] : []),
    ...(isHidden ? ['secret'] : []),
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
  ].join(', ')
}

function isSecret(path: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => path === secret || path.startsWith(`${secret}.`))
}

function typeText(node: JsonObject): string {
  const { enum: choices, anyOf, oneOf, type } = node
  if (Array.isArray(choices)) return choices.map((choice) => String(choice) || '""').join(' | ')
  const either = Array.isArray(anyOf) ? anyOf : oneOf
  if (Array.isArray(either)) return [...new Set(either.map((each) => typeText(objectOf(each))))].join(' | ')
  if ('const' in node) return JSON.stringify(node['const'])
  return type === undefined ? 'any' : [type].flat().map(String).join(' | ')
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

import { isJsonObject, type JsonObject } from '@sluice/core'

/** Copies a value without its empty values. The copy shares nothing with the input, so it may be modified. */
type Clean = (value: unknown) => unknown

interface Cleaning {
  /** Of an event that is sent alone. Also leaves out members that are ''. */
  readonly single: Clean
  /** Of an event in a batch. */
  readonly batched: Clean
}

/**
 * Compiles how a payload is copied without its empty values. Empty are, as the schema says, null where it is not allowed
 * and '' where there is no text. What the schema does not describe is copied as it is, and so are the items of a list,
 * apart from those that are empty. A single value where the schema has a list becomes a list of one.
 *
 * Results are those of `removeEmptyValues` and `arrifyFields` in `@segment/actions-core`. Members named `__proto__` are
 * left out.
 *
 * @param schema undefined for an action without fields.
 */
export function compileCleaning(schema: JsonObject | undefined): Cleaning {
  if (schema === undefined || !isJsonObject(schema['properties'])) return { single: copyOf, batched: copyOf }
  const members = compileMembers(schema['properties'], true)
  return {
    single: (value) => (isJsonObject(value) ? cleanMembers(value, members, true) : copyOf(value)),
    batched: (value) => (isJsonObject(value) ? cleanMembers(value, members, false) : copyOf(value)),
  }
}

type Members = ReadonlyMap<string, Clean>

function compileMembers(properties: JsonObject, isRoot: boolean): Members {
  return new Map(
    Object.entries(properties).map(([name, schema]) => {
      const clean = compileValue(isJsonObject(schema) ? schema : {})
      return [name, isRoot && isJsonObject(schema) && schema['type'] === 'array' ? listOf(clean) : clean]
    }),
  )
}

/** Wraps a value that is no list. */
function listOf(clean: Clean): Clean {
  return (value) => {
    const cleaned = clean(value)
    return cleaned === undefined || cleaned === null || Array.isArray(cleaned) ? cleaned : [cleaned]
  }
}

function compileValue({ type, enum: choices, items, properties }: JsonObject): Clean {
  if (!type && !choices) return copyOf
  const types = Array.isArray(type) ? type : [type]
  const allowsNull = types.includes('null')
  const allowsText = types.includes('string')
  const members = isJsonObject(properties) ? compileMembers(properties, false) : undefined
  const item = isJsonObject(items) ? compileValue(items) : undefined
  return (value) => {
    if (typeof value === 'object' && value !== null) {
      if (!Array.isArray(value)) return members === undefined ? copyOf(value) : cleanMembers(value, members, false)
      // Segment asks of each item whether it is empty, and keeps it as it is if not.
      return (item === undefined ? value : value.filter((each) => item(each) !== undefined)).map(copyOf)
    }
    if ((value === null && !allowsNull) || (value === '' && !allowsText)) return undefined
    return value
  }
}

function cleanMembers(value: object, members: Members, leavesOutBlank: boolean): object {
  const object: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const clean = members.get(key) ?? copyOf
    const cleaned = clean((value as Record<string, unknown>)[key])
    if (cleaned !== undefined && !(leavesOutBlank && cleaned === '') && key !== '__proto__') object[key] = cleaned
  }
  return object
}

function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyOf)
  const object: Record<string, unknown> = {}
  for (const key of Object.keys(value))
    if (key !== '__proto__') object[key] = copyOf((value as Record<string, unknown>)[key])
  return object
}

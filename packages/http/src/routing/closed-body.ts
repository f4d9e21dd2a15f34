import type { TSchema } from 'typebox'

/**
 * Returns the schema of a body that refuses members it does not declare, at every depth. A misspelt member that is
 * ignored would mean something else than was asked, such as a deletion everywhere. Members of records, such as events
 * and settings, have free names. An object that declares `additionalProperties: true` stays open.
 */
export function closedBody<S extends TSchema>(schema: S): S {
  return closed(schema) as S
}

function closed(schema: object): object {
  const properties = 'properties' in schema ? schema.properties : undefined
  const items = 'items' in schema ? schema.items : undefined
  return {
    ...schema,
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, closed(inner)])),
          additionalProperties: 'additionalProperties' in schema && schema.additionalProperties === true,
        }
      : {}),
    ...(isObject(items) ? { items: closed(items) } : {}),
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

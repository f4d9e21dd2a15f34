import type { FlatSchema } from './schema-delta.ts'

/**
 * The schema of a model after a new version of it was seen: keys it lacked come last, a key it had with other types
 * gets the new type appended after a comma. Nothing is ever taken out. Source: governance facts 1.3, 1.4.
 */
export function mergeSchema(model: Readonly<Record<string, string>>, version: FlatSchema): Record<string, string> {
  const merged = new Map(Object.entries(model))
  for (const [key, type] of Object.entries(version)) {
    const known = merged.get(key)
    if (known === undefined) merged.set(key, type)
    else if (!known.split(',').includes(type)) merged.set(key, `${known},${type}`)
  }
  return Object.fromEntries(merged)
}

import type { FlatSchema } from './flat-schema.ts'

/**
 * Adds a version's schema to the schema of a model. New keys are appended; for a key with a new type, the type is
 * appended after a comma. Nothing is ever removed. Source: packages/docs/behaviour/schemas.md#types.
 *
 * @returns the schema, and the number of keys beyond the limit.
 */
export function mergeSchema(
  model: Readonly<Record<string, string>>,
  versions: readonly FlatSchema[],
  keysMax: number,
): { readonly schema: Record<string, string>; readonly leftOut: number } {
  const merged = new Map(Object.entries(model))
  let leftOut = 0
  for (const version of versions)
    for (const [key, type] of Object.entries(version)) {
      const known = merged.get(key)
      if (known === undefined) {
        if (merged.size < keysMax) merged.set(key, type)
        else leftOut += 1
      } else if (!known.split(',').includes(type)) merged.set(key, `${known},${type}`)
    }
  return { schema: Object.fromEntries(merged), leftOut }
}

/** Adds events of a shape to the counts of keys. @returns the number of keys beyond the limit. */
export function addKeyCounts(counts: Map<string, number>, schema: FlatSchema, count: number, keysMax: number): number {
  let leftOut = 0
  for (const key of Object.keys(schema)) {
    const known = counts.get(key)
    if (known !== undefined || counts.size < keysMax) counts.set(key, (known ?? 0) + count)
    else leftOut += 1
  }
  return leftOut
}

import { hashText } from '@sluice/core/hash'
import { sortByCodePoints } from './compare-code-points.ts'
import type { FlatSchema } from './flat-schema.ts'

/**
 * Returns the hash that identifies a version within its model: MD5 in hex of `key:type,` over the keys in byte order of
 * their UTF-8.
 *
 * Keys are not delimited or escaped, so two schemas whose keys contain ":" or "," can have the same hash; they then
 * count as one version. This stays, because clients compare these hashes. Source:
 * packages/docs/behaviour/schemas.md#hashes.
 * @example
 * ```ts
 * import { schemaHash } from '@sluice/schema'
 *
 * console.log(schemaHash({ 'properties.price': 'float64' }).length) // 32
 * ```
 */
export function schemaHash(schema: FlatSchema): string {
  let text = ''
  for (const key of sortByCodePoints(Object.keys(schema))) text += `${key}:${schema[key]},`
  return hashText('md5', text)
}

import { createHash } from 'node:crypto'
import type { FlatSchema } from '../catalogue/schema-delta.ts'
import { sortByCodePoints } from './compare-code-points.ts'

/**
 * What tells the versions of one model apart: MD5, hex, of `key:type,` over the keys in byte order of their UTF-8.
 *
 * Nothing separates a key from the text around it, so two schemas whose keys hold ":" or "," can share a hash; they
 * then count as one version. Kept as it is because clients compare these hashes. Source:
 * packages/docs/behaviour/schemas.md#hashes.
 */
export function schemaHash(schema: FlatSchema): string {
  let text = ''
  for (const key of sortByCodePoints(Object.keys(schema))) text += `${key}:${schema[key]},`
  return createHash('md5').update(text).digest('hex')
}

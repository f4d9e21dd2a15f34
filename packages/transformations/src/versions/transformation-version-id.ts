import { createHash } from 'node:crypto'
import type { Library } from '@sluice/core'

/**
 * Returns a version id for a transformation from a file: 32 hexadecimal characters that change whenever its code, or
 * the name or code of a library, changes. The order of libraries does not matter.
 */
export function transformationVersionId(code: string, libraries: readonly Library[]): string {
  const parts = libraries.map(({ name, code: text }) => JSON.stringify([name, text])).sort()
  return createHash('sha256')
    .update(JSON.stringify([code, ...parts]))
    .digest('hex')
    .slice(0, 32)
}

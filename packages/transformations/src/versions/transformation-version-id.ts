import type { Library } from '@sluice/core'
import { hashText } from '@sluice/core/hash'

/**
 * Returns a version id for a transformation from a file: 32 hexadecimal characters that change whenever its code, or
 * the name or code of a library, changes. The order of libraries does not matter.
 * @example
 * ```ts
 * import { transformationVersionId } from '@sluice/transformations'
 *
 * console.log(transformationVersionId('export const transformEvent = (event) => event', []).length) // 32
 * ```
 */
export function transformationVersionId(code: string, libraries: readonly Library[]): string {
  const parts = libraries.map(({ name, code: text }) => JSON.stringify([name, text])).sort()
  return hashText('sha256', JSON.stringify([code, ...parts])).slice(0, 32)
}

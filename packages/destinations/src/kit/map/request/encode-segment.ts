import type { JsonValue } from '@sluice/core'
import { bytesOf, textOf } from '@sluice/core/bytes'
import { text } from '../../convert/text.ts'

/**
 * Encodes a value as a segment of a path or a value of a query. A lone surrogate, which cannot be encoded, becomes
 * U+FFFD.
 */
export function encodeSegment(value: JsonValue): string {
  return encodeURIComponent(textOf(bytesOf(text(value))))
}

/**
 * Returns whether a text is a safe path segment. An empty segment would shorten the path, and dots would leave it, even
 * when encoded.
 */
export function isSegment(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..'
}

import type { JsonValue } from '@sluice/core'
import { text } from '../convert/text.ts'

/** A value as one segment of a path, or one value of a query. Half a character, which no address can hold, becomes U+FFFD. */
export function encodeSegment(value: JsonValue): string {
  return encodeURIComponent(Buffer.from(text(value)).toString())
}

/** Empty ones end an address where it should go on, and those of dots lead out of it, encoded or not. */
export function isSegment(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..'
}

import type { JsonValue } from '@sluice/core'

/** Converts an identifier to a text: a number, or a text that is not blank. Returns undefined for other values. */
export function id(value: JsonValue): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

import type { JsonValue } from '@sluice/core'
import { text } from './text.ts'

type Table = Readonly<Record<string, JsonValue>>

/** The value a table gives; nothing for what is not in it. */
export function oneOf(table: Table): (value: JsonValue) => JsonValue | undefined {
  const known = new Map(Object.entries(table))
  return (value) => known.get(text(value))
}

/** The value a table gives; what is not in it stays as it is. */
export function renamed(table: Table): (value: JsonValue) => JsonValue {
  const known = new Map(Object.entries(table))
  return (value) => known.get(text(value)) ?? value
}

/** The value as a list of one, unless it is a list. */
export function list(value: JsonValue): JsonValue {
  return Array.isArray(value) ? value : [value]
}

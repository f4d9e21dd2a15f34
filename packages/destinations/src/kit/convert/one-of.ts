import type { JsonValue } from '@sluice/core'
import { text } from './text.ts'

type Table = Readonly<Record<string, JsonValue>>

/** Converts by a table; returns undefined for values that are not in it. */
export function oneOf(table: Table): (value: JsonValue) => JsonValue | undefined {
  const known = new Map(Object.entries(table))
  return (value) => known.get(text(value))
}

/** Converts by a table; values that are not in it stay unchanged. */
export function renamed(table: Table): (value: JsonValue) => JsonValue {
  const known = new Map(Object.entries(table))
  return (value) => known.get(text(value)) ?? value
}

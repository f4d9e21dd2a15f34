import type { JsonValue } from '@sluice/core'

const lengthMax = 100

/** Returns a value as error messages show it, at most about 100 characters. */
export function shownValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string' || value.length <= lengthMax) return JSON.stringify(value)
  return `${JSON.stringify(value.slice(0, lengthMax))}…`
}

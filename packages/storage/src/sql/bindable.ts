/// <reference lib="es2024.string" />
import { InvariantError } from '@sluice/core'

/**
 * Checks the values of a statement, because a driver would silently store something else: null, bytes, well-formed
 * strings, and finite numbers pass, where whole numbers must be safe integers.
 * @throws InvariantError for anything else.
 */
export function bindable(values: readonly unknown[]): readonly unknown[] {
  for (const [index, value] of values.entries()) {
    // The value may be personal data, so the message gives only its place and what is wrong.
    const wrong = unbindable(value)
    if (wrong !== undefined) throw new InvariantError(`value ${index + 1} of a statement is ${wrong}`)
  }
  return values
}

function unbindable(value: unknown): string | undefined {
  if (value === null || value instanceof Uint8Array) return undefined
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'a string with a lone surrogate'
  if (typeof value !== 'number') return `of type ${typeof value}`
  if (!Number.isFinite(value)) return 'a number that is not finite'
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? 'an integer beyond 2^53' : undefined
}

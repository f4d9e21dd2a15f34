import { InvariantError, type JsonValue } from '@sluice/core'

/** Keys from the outside in. A numeric key is an index when the value is a list. */
export type KeyPath = readonly string[]

/** A key path as rules are written: `'traits.email'`, or a list of keys if one of them contains a dot. */
export type KeyPathText = string | KeyPath

/** Parses a key path. @throws InvariantError for an empty key, and for `__proto__`, which would reach the prototype. */
export function toKeyPath(text: KeyPathText): KeyPath {
  const path = typeof text === 'string' ? text.split('.') : text
  if (path.some((key) => key === '' || key === '__proto__')) {
    throw new InvariantError(`'${path.join('.')}' is not a key path: it has an empty key or __proto__.`)
  }
  return path
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: KeyPath): JsonValue | undefined {
  let at = value as Readonly<Record<string, unknown>> | null | undefined
  for (const key of path) at = at?.[key] as typeof at
  return at as JsonValue | undefined
}

import { InvariantError, type JsonValue } from '@sluice/core'

/** Keys from the outside in. A number in the text of a path is an index where it meets a list. */
export type KeyPath = readonly string[]

/** `'traits.email'`, or the keys by themselves where one of them holds a dot. */
export type KeyPathText = string | KeyPath

/** @throws InvariantError for an empty key, and for `__proto__`, which would reach the prototype. */
export function toKeyPath(text: KeyPathText): KeyPath {
  const path = typeof text === 'string' ? text.split('.') : text
  if (path.some((key) => key === '' || key === '__proto__')) {
    throw new InvariantError(`'${path.join('.')}' is not a key path.`)
  }
  return path
}

/** The value at a path; undefined where the path leads nowhere. */
export function valueAt(value: unknown, path: KeyPath): JsonValue | undefined {
  let at = value as Readonly<Record<string, unknown>> | null | undefined
  for (const key of path) at = at?.[key] as typeof at
  return at as JsonValue | undefined
}

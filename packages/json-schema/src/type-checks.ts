import type { Schema } from './compiling.ts'

/** Returns whether a value has the type of the name. */
export const typeChecks: Readonly<Record<string, (data: unknown) => boolean>> = {
  string: (data) => typeof data === 'string',
  number: (data) => typeof data === 'number' && Number.isFinite(data),
  integer: (data) => Number.isInteger(data),
  boolean: (data) => typeof data === 'boolean',
  null: (data) => data === null,
  array: Array.isArray,
  object: (data) => typeof data === 'object' && data !== null && !Array.isArray(data),
}

/** Returns the types that a schema allows; none when it allows all. */
export function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : ([type].flat() as string[])
}

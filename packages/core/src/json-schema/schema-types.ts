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

/** Returns the types that a schema allows; none when it allows all. @throws Error for a type that does not exist. */
export function typesOf({ type, nullable }: Schema): readonly string[] {
  const types: readonly unknown[] = Array.isArray(type) ? type : type ? [type] : []
  if (!types.every((each): each is string => typeof each === 'string' && Object.hasOwn(typeChecks, each)))
    throw new Error(`type must be JSONType or JSONType[]: ${types.join(',')}`)
  if (types.includes('null')) {
    if (nullable === false) throw new Error('type: null contradicts nullable: false')
    return types
  }
  if (types.length === 0 && nullable !== undefined) throw new Error('"nullable" cannot be used without "type"')
  return nullable === true ? [...types, 'null'] : types
}

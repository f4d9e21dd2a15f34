import type { Schema } from './compiling.ts'
import { typeChecks, typesOf } from './type-checks.ts'

/** Returns the types that a schema allows; none when it allows all. @throws Error for a type that does not exist. */
export function checkedTypesOf(schema: Schema): readonly string[] {
  const types = typesOf(schema)
  const { nullable } = schema
  if (!types.every((each) => Object.hasOwn(typeChecks, each)))
    throw new Error(`type must be JSONType or JSONType[]: ${types.join(',')}`)
  if (types.includes('null')) {
    if (nullable === false) throw new Error('type: null contradicts nullable: false')
    return types
  }
  if (types.length === 0 && nullable !== undefined) throw new Error('"nullable" cannot be used without "type"')
  return nullable === true ? [...types, 'null'] : types
}

import type { Schema } from '../compiling.ts'

/** Returns a member of the object itself; undefined for what every object has, such as `toString`. */
export function ownMember(data: Schema, name: string): unknown {
  return Object.hasOwn(data, name) ? data[name] : undefined
}

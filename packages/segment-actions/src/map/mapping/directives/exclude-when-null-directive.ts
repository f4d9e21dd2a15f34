import { isJsonObject } from '@sluice/core'
import type { Directive } from '../mapping-compiler.ts'

/** `@excludeWhenNull`: a value without null, at the top or in objects, but not in objects inside lists. */
export const excludeWhenNullDirective: Directive = (value, place, compiler) => {
  const resolve = compiler.compile(value, place)
  return (data) => withoutNull(resolve(data), place.keepsUndefined)
}

function withoutNull(value: unknown, keepsUndefined: boolean): unknown {
  if (value === null) return undefined
  if (!isJsonObject(value)) return value
  const object: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    const kept = withoutNull(member, keepsUndefined)
    if (key !== '__proto__' && (kept !== undefined || keepsUndefined)) object[key] = kept
  }
  return object
}

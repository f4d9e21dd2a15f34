import type { JsonValue } from '@sluice/core'

/** Whether a value has objects or lists in each other, more levels than so many. Looks no deeper than that. */
export function isNestedDeeper(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const element of value)
      if (typeof element === 'object' && element !== null && isNestedDeeper(element, levels - 1)) return true
    return false
  }
  const object = value as { readonly [key: string]: JsonValue | undefined }
  for (const key in object) {
    const member = object[key]
    if (typeof member === 'object' && member !== null && isNestedDeeper(member, levels - 1)) return true
  }
  return false
}

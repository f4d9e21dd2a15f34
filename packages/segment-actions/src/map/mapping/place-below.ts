import type { Place } from './mapping-compiler.ts'

/** Returns the place of a member, of an option or of an item. */
export function placeBelow({ path, depth, keepsUndefined }: Place, key: string | number): Place {
  return { path: pathBelow(path, key), depth: depth + 1, keepsUndefined }
}

function pathBelow(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  return path === '' ? key : `${path}.${key}`
}

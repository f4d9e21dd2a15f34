/** Beginnings of addresses that were others before, and what they are now. The longest that fits counts. */
const moved: readonly (readonly [from: string, to: string])[] = [
  ['/destinations/sources', '/sources'],
  ['/dead-letters', '/failed'],
  ['/warehouses', '/warehouse'],
]

/**
 * Returns the address of today for one of before, with the rest of its path.
 * @param path below `/studio`.
 * @returns undefined for a path that has not moved.
 */
export function movedAddress(path: string): string | undefined {
  const found = moved.find(([from]) => path === from || path.startsWith(`${from}/`))
  return found && `${found[1]}${path.slice(found[0].length)}`
}

/**
 * Returns the most that each holder may keep so that together they keep at most `total`; Infinity when everything fits.
 * Holders above that level give up the excess. The largest gives up first, so a holder of an equal share or less keeps
 * everything, whatever the others hold.
 */
export function fairLevel(amounts: Iterable<number>, total: number): number {
  const ascending = [...amounts].sort((a, b) => a - b)
  let left = total
  for (const [index, amount] of ascending.entries()) {
    const level = left / (ascending.length - index)
    if (amount > level) return level
    left -= amount
  }
  return Number.POSITIVE_INFINITY
}

/**
 * Returns how much each holder may keep so that all of them keep no more than `total`: Infinity when all fit, else the
 * level down to which larger holders give up. The largest gives up first, so a holder of no more than an equal part of the
 * total keeps everything, whatever others hold.
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

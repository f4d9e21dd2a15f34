/**
 * Returns how many entries, from the first on, fit in `bytesMax` together; at least one.
 * @param bytesMax default: all fit.
 */
export function countFitting(
  entries: readonly { readonly bytes: number }[],
  bytesMax = Number.POSITIVE_INFINITY,
): number {
  let sum = 0
  const tooMany = entries.findIndex(({ bytes }, index) => {
    sum += bytes
    return index > 0 && sum > bytesMax
  })
  return tooMany < 0 ? entries.length : tooMany
}

import type { LogPosition } from '@sluice/pipeline'

/** Returns the index of the first entry behind a position, in a list in order of position. @param first where to begin. */
export function firstBehind(
  entries: readonly { readonly position: LogPosition }[],
  position: LogPosition,
  first = 0,
): number {
  let low = first
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle]?.position ?? 0) > position) high = middle
    else low = middle + 1
  }
  return low
}

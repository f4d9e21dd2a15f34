/** True in `pnpm test:long`, which runs what takes too long to run after every change. */
const isLong = process.env['SLUICE_LONG'] === '1'

/** Chooses the size of a test: one for every change, a larger one for `pnpm test:long`. */
export function sized<T>(usual: T, long: T): T {
  return isLong ? long : usual
}

/** Names rounds of a test, with how many there are: `round 2 of 10`. */
export function roundsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `round ${n + 1} of ${count}`)
}

/** True in `pnpm test:long`, which runs what takes too long to run after every change. */
const isLong = process.env['SLUICE_LONG'] === '1'

/** Chooses the size of a test: one for every change, a larger one for `pnpm test:long`. */
export function sized<T>(usual: T, long: T): T {
  return isLong ? long : usual
}

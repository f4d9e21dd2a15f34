/**
 * The seed of everything random in this run: the value of `SLUICE_SEED`, 1 when it is not set. It is printed after a failure,
 * and setting it repeats the same draws.
 */
export const runSeed = Number(process.env['SLUICE_SEED'] ?? 1)

if (!Number.isSafeInteger(runSeed))
  throw new Error(`SLUICE_SEED must be a whole number, got: ${process.env['SLUICE_SEED']}`)

import { readCounters } from '../watch/watched-places.ts'

/** Reads the counters since the store was created, for the page of a destination. */
export async function readCounts(signal: AbortSignal) {
  return { stats: await readCounters(signal) }
}

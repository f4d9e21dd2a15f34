import { availableParallelism } from 'node:os'
import { defaultListenLimits } from '../listen/listen.ts'
import type { ServeFlags } from '../serve-flags.ts'

/**
 * Returns the flags of one of several processes: connections and threads for user code are those of the server, so each
 * process gets its part, and at least one. What the database bounds is the same for all, and all other memory is per process.
 */
export function shareOfFlags(flags: ServeFlags, processes: number, cores = availableParallelism()): ServeFlags {
  const part = (whole: number): number => Math.max(1, Math.floor(whole / processes))
  return {
    ...flags,
    connections: part(flags.connections ?? defaultListenLimits.connectionsMax),
    // By default one core is left for everything else, as with one process.
    workers: part(flags.workers ?? cores - 1),
  }
}

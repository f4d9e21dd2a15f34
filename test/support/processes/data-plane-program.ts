/**
 * A process for `startKillable`: a data plane that serves HTTP with its store on disk, until it is killed or asked to
 * stop. Reports its port as `serving`, and its peak memory in bytes as `memory` when it ends by itself.
 */
export const dataPlaneProgram = `
const { systemClock: clock, systemRandom: random } = await import('@sluice/core')
const { openSqliteStore } = await import('@sluice/storage')
const { createSluice } = await import('sluice')
const { listen } = await import('../packages/sluice/dist/cli/server/serve/listen/listen.js')
const { peakMemory } = await import('../packages/sluice/dist/cli/peak-memory.js')
const { folder, port, options, limits } = JSON.parse(process.argv[1])
const store = await openSqliteStore({ path: folder + '/sluice.db', clock, random })
const sluice = await createSluice({ logger: 'off', ...options, store, onError: (error) => console.error(error) })
const listener = await listen(sluice, { host: '127.0.0.1', port, flag: '--port', limits })
report('serving', listener.port)
await asked
await listener.close(2_000)
// The parent process may be dead, and its destinations with it: then nothing settles.
await Promise.race([sluice.settled(), new Promise((resolve) => setTimeout(resolve, 60_000).unref())])
report('memory', peakMemory())
report('stats', await sluice.stats())
await sluice.stop(1_000)
`

/** Argument of the program. */
export interface DataPlaneArguments {
  readonly folder: string
  /** 0 chooses a free port. */
  readonly port: number
  /** As for `createSluice`, without what JSON cannot express. */
  readonly options: object
  /** As for `listen`. */
  readonly limits?: object
}

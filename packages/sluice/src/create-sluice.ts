import type { DestinationSource } from '@sluice/destinations'
import type { Sluice } from './sluice.ts'
import type { SluiceOptions } from './sluice-options.ts'

/**
 * Starts a pipeline in this process. It takes over the store, and closes it on `stop` or when starting fails.
 * @throws WorkspaceFileError listing everything that is wrong with the workspace.
 * @example
 * ```ts
 * import { createSluice } from 'sluice'
 *
 * const sluice = await createSluice({
 *   workspace: { id: 'shop', sources: [{ id: 'web', writeKey: 'web-key' }], destinations: [], connections: [] },
 * })
 * console.log((await sluice.ingest('web-key', [{ type: 'track', event: 'Seen', userId: 'u1' }])).ok) // true
 * await sluice.stop()
 * ```
 */
export async function createSluice<
  const SourceId extends string,
  const DestinationId extends string,
  const From extends string,
  const To extends string,
  Own extends DestinationSource = never,
>(options: SluiceOptions<SourceId, DestinationId, Own, From, To>): Promise<Sluice> {
  // Loaded when needed: with destinations and sandbox it is nearly everything, some 1,500 modules.
  const { startSluice } = await import('./start-sluice.ts')
  // Ids and types are checked where they are written.
  return startSluice(options as unknown as SluiceOptions)
}

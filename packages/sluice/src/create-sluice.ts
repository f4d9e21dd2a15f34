import type { Sluice } from './sluice.ts'
import type { SluiceOptions } from './sluice-options.ts'

/**
 * Starts a pipeline in this process. It takes over the store, and closes it on `stop` or when starting fails.
 * @throws WorkspaceFileError listing everything that is wrong with the workspace.
 */
export async function createSluice(options: SluiceOptions): Promise<Sluice> {
  // Loaded when needed: with destinations and sandbox it is nearly everything, some 1,500 modules.
  const { startSluice } = await import('./start-sluice.ts')
  return startSluice(options)
}

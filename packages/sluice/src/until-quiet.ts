import type { Engine } from '@sluice/pipeline'
import { type DeletionTarget, ownData, type SuppressionIndex } from '@sluice/regulation'

export interface QuietParts {
  readonly index: Pick<SuppressionIndex, 'catchUp'>
  readonly engine: Pick<Engine, 'passed'>
}

/** An event may be tried for as long, a few times. */
const quietMs = 30_000

/**
 * Makes what `Deletions` waits for before users are deleted: their suppression is in force, and what was begun before that
 * has come to its end. Otherwise an event on its way could arrive behind the deletion.
 */
export function createUntilQuiet({ index, engine }: QuietParts) {
  return async ({ workspaceId, destinationId }: DeletionTarget, signal: AbortSignal): Promise<boolean> => {
    await index.catchUp()
    const ending = AbortSignal.any([signal, AbortSignal.timeout(quietMs)])
    const which = destinationId === ownData ? undefined : destinationId
    const passed = engine.passed(workspaceId, which, ending).then(() => true)
    return Promise.race([
      passed,
      new Promise<false>((resolve) => ending.addEventListener('abort', () => resolve(false), { once: true })),
    ])
  }
}

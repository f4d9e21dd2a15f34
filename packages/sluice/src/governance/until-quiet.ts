import type { EngineErasure } from '@sluice/pipeline'
import { type DeletionTarget, ownData, type SuppressionIndex } from '@sluice/regulation'

interface QuietParts {
  readonly index: Pick<SuppressionIndex, 'catchUp'>
  /** The pipeline, or the cluster of processes whose pipelines share the store. */
  readonly engine: Pick<EngineErasure, 'passed'>
  /** Resolves when what is stored is in force in all processes that share the store; default in this one only. */
  readonly everywhere?: (() => Promise<void>) | undefined
}

/** Longest wait: an event can take this long, including a few attempts. */
const quietMs = 30_000

/**
 * Creates the function that `Deletions` awaits before it deletes users. It resolves when their suppression is in force
 * and all work started before has ended. Otherwise an event in progress could arrive after the deletion.
 */
export function createUntilQuiet({ index, engine, everywhere }: QuietParts) {
  return async ({ workspaceId, destinationId }: DeletionTarget, signal: AbortSignal): Promise<boolean> => {
    // What processes begin from then on is without these users: they may be found here before that is so everywhere.
    await Promise.all([index.catchUp(), everywhere?.()])
    const ending = AbortSignal.any([signal, AbortSignal.timeout(quietMs)])
    const which = destinationId === ownData ? undefined : destinationId
    const passed = engine.passed(workspaceId, which, ending).then(() => true)
    return Promise.race([
      passed,
      new Promise<false>((resolve) => ending.addEventListener('abort', () => resolve(false), { once: true })),
    ])
  }
}

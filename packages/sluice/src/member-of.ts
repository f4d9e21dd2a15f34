import type { Configuration } from '@sluice/configuration'
import type { ClusterMember, Engine } from '@sluice/pipeline'
import type { Deletions, SuppressionIndex } from '@sluice/regulation'

export interface MemberParts {
  readonly engine: Engine
  readonly index: Pick<SuppressionIndex, 'catchUp'>
  readonly configuration: Pick<Configuration, 'reload'>
  readonly deletions: Pick<Deletions, 'wake'>
  onError(error: unknown): void
}

/** Returns what this process does for the cluster of its store. */
export function memberOf({ engine, index, configuration, deletions, onError }: MemberParts): ClusterMember {
  return {
    pause: (deadlineMs) => engine.pause(deadlineMs),
    resume: async () => {
      await engine.resume()
      // This process may be the one now that runs them.
      deletions.wake()
    },
    apply: async ({ code }) => {
      await index.catchUp()
      if (code) await configuration.reload()
    },
    deferred: (workspaceId) => void engine.findDeferred(workspaceId).catch(onError),
    passed: async (workspaceId, destinationId, signal) => {
      await engine.passed(workspaceId, destinationId, signal)
      await engine.endSuppressed(workspaceId)
      await engine.storeValues(workspaceId)
    },
  }
}

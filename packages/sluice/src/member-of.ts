import type { Configuration } from '@sluice/configuration'
import type { ClusterMember, Engine } from '@sluice/pipeline'
import type { Deletions, Ledger, LedgerReport, Regulations, SuppressionIndex } from '@sluice/regulation'

interface MemberParts {
  readonly engine: Engine
  readonly index: Pick<SuppressionIndex, 'catchUp' | 'reload' | 'idle'>
  readonly ledger: Pick<Ledger, 'doubt' | 'settle'> | undefined
  /** Has the ledger put back what the store lacks. */
  compare(): Promise<LedgerReport>
  readonly regulations: Pick<Regulations, 'deleteAgain'>
  readonly configuration: Pick<Configuration, 'reload'>
  readonly deletions: Pick<Deletions, 'wake'>
  readonly deduplicationMs: number | undefined
  onError(error: unknown): void
}

/** Returns what this process does for the cluster of its store. */
export function memberOf(parts: MemberParts): ClusterMember {
  const { engine, index, ledger, compare, regulations, configuration, deletions, deduplicationMs, onError } = parts
  // What a start has compared and loaded is still right when it joins.
  let isStarting = true
  return {
    ...(deduplicationMs === undefined ? {} : { deduplicationMs }),
    pause: (deadlineMs) => engine.pause(deadlineMs),
    resume: async () => {
      await engine.resume()
      // This process may be the one now that runs them.
      deletions.wake()
    },
    apply: async ({ code, hasJoined }) => {
      const isBack = hasJoined && !isStarting
      // Before anything is served: the store may be older than its regulations.
      const compared = isBack ? await compare() : undefined
      await (isBack ? index.reload() : index.catchUp())
      if (code) await configuration.reload()
      if (compared) {
        await regulations.deleteAgain(compared)
        await ledger?.settle()
      }
      isStarting = false
      // Others may have ordered some, and this process may be the one that runs them.
      deletions.wake()
    },
    lost: async () => {
      await Promise.all([ledger?.doubt(), index.idle()])
    },
    deferred: (workspaceId) => void engine.findDeferred(workspaceId).catch(onError),
    passed: async (workspaceId, destinationId, signal) => {
      await engine.passed(workspaceId, destinationId, signal)
      await engine.endSuppressed(workspaceId)
      await engine.storeValues(workspaceId)
    },
  }
}

import type { ClusterMember } from '@sluice/pipeline'
import type { Base } from './base.ts'
import type { DefinitionParts } from './definitions.ts'
import type { FlowParts } from './flow.ts'
import type { GovernanceParts } from './governance.ts'
import type { StoreParts } from './stores.ts'
import type { TelemetryParts } from './telemetry.ts'

/** Returns what this process does for the cluster of its store. */
export function memberOf(
  { options, clock, onError }: Base,
  { index, ledger, comparison }: StoreParts,
  { engine, tap, workspaces }: FlowParts,
  { regulations, deletions }: GovernanceParts,
  { configuration }: DefinitionParts,
  { vitals }: TelemetryParts,
): ClusterMember {
  // What a start has compared and loaded is still right when it joins.
  let isStarting = true
  return {
    deduplicationMs: options.deduplication?.windowMs,
    vitals: () => vitals.read(),
    pause: (deadlineMs) => engine.pause(deadlineMs),
    resume: async () => {
      await engine.resume()
      // This process may be the one now that runs them.
      deletions.wake()
    },
    apply: async ({ code, hasJoined }) => {
      const isBack = hasJoined && !isStarting
      // Before anything is served: the store may be older than its regulations.
      const compared = isBack ? await comparison.compare() : undefined
      await (isBack ? index.reload() : index.catchUp())
      // A regulation may be among what has changed, and entries name its users.
      for (const { id } of workspaces()) tap.forget(id, clock.now())
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
    tryNow: (early) => {
      if (early.kind === 'deletions') deletions.wake()
      else engine.tryNow(early.workspaceId, early.destinationId)
    },
    passed: async (workspaceId, destinationId, signal) => {
      await engine.erasure.passed(workspaceId, destinationId, signal)
      await engine.erasure.endSuppressed(workspaceId)
      await engine.erasure.storeValues(workspaceId)
    },
  }
}

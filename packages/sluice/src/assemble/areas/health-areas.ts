import { createHealthArea, type Health, type HealthWarning } from '@sluice/http'
import type { Store } from '@sluice/pipeline'
import { isKept } from '../../governance/ledger-comparison.ts'
import type { Siblings } from '../../siblings.ts'
import type { GovernanceParts } from '../governance.ts'
import type { StoreParts } from '../stores.ts'

/** Creates the area that probes and operators ask whether this process can serve. */
export function createHealthAreas(
  { store, cluster, ledger, index }: StoreParts,
  { heldDeletions }: GovernanceParts,
  isStopping: () => boolean,
  siblings: Siblings | undefined,
) {
  const health = (): Health => {
    if (isStopping()) return 'stopping'
    if (store.isLost?.()) return 'storeLost'
    if (store.isDamaged?.()) return 'storeDamaged'
    if (store.isUnwritable?.()) return 'storeUnwritable'
    return index.isReady ? 'ok' : 'suppressionUnavailable'
  }
  const isServing = (): boolean => isStopping() || cluster?.isServing !== false
  const readiness = (): ReturnType<typeof health> | 'notServing' => (isServing() ? health() : 'notServing')
  return {
    readiness,
    health: createHealthArea({
      health,
      warnings: () => {
        const { forKey, forIds } = heldDeletions.held
        return [
          ...(ledger === undefined && isKept(store) ? (['noLedger'] as const) : []),
          ...(forKey > 0 ? (['ledgerKeyNeeded'] as const) : []),
          ...(forIds > 0 ? (['deletionIdsNeeded'] as const) : []),
          ...(store.isSetBack?.() ? (['lostCommits'] as const) : []),
          ...definitionWarnings(cluster),
        ]
      },
      hasUnconfirmedLoss: () => cluster?.hasUnconfirmedLoss === true,
      unwell: siblings && (() => siblings.unwell()),
      readiness,
    }),
  }
}

/** Returns what operators should know of the definitions that the processes of a cluster have. */
function definitionWarnings(cluster: Store['cluster']): readonly HealthWarning[] {
  if (cluster?.newerRoutes) return ['olderDefinition']
  return cluster && cluster.measures.otherDefinitions > 0 ? ['otherDefinitions'] : []
}

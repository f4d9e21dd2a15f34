import {
  type BudgetUsage,
  countLost,
  type DeadLetters,
  type DestinationHealth,
  type DestinationStats,
  type EngineReports,
  healths,
  type SourceStats,
  type Store,
} from '@sluice/pipeline'
import type { Labels, Sample, storedMetrics } from '../metric-table.ts'
import { budgetSamples } from './budget-samples.ts'
import { queueSamples } from './queue-samples.ts'

interface StoredSamplesOptions {
  readonly engine: { readonly reports: Pick<EngineReports, 'stats' | 'queues'> }
  /** Returns how the enabled destinations do. */
  health(workspaceId: string): Promise<readonly Pick<DestinationHealth, 'destinationId' | 'health'>[]>
  readonly deadLetters: Pick<DeadLetters, 'usage'>
  usage(workspaceId: string): Promise<readonly BudgetUsage[]>
  readonly store: Pick<Store, 'lostBatches' | 'lostCommits'>
}

/**
 * Largest number of named reasons per kind and place, because programs can define many; further ones become `other`.
 */
const reasonsMax = 50

/** Reads the stored metrics of some workspaces. */
export function createStoredSamples({ engine, health, deadLetters, usage, store }: StoredSamplesOptions) {
  const reasonsSeen = new Map<string, Set<string>>()

  /** The first reasons keep their names while the process runs, because a counter must not decrease. */
  const reasonLabel = (metric: Metric, labels: Labels, reason: string): string => {
    const key = JSON.stringify([metric, labels])
    const seen = reasonsSeen.get(key) ?? new Set()
    reasonsSeen.set(key, seen)
    if (seen.size < reasonsMax) seen.add(reason)
    return seen.has(reason) ? reason : 'other'
  }
  const byReason = (metric: Metric, labels: Labels, counts: Readonly<Record<string, number>>): readonly Sample[] => {
    const sums = new Map<string, number>()
    for (const [reason, count] of Object.entries(counts)) {
      const label = reasonLabel(metric, labels, reason)
      sums.set(label, (sums.get(label) ?? 0) + count)
    }
    return [...sums].map(([reason, value]) => ({ name: metric, labels: { ...labels, reason }, value }))
  }
  const ofDestination = (labels: Labels, stats: DestinationStats): readonly Sample[] => [
    sample('sluice_destination_accepted_total', labels, stats.accepted),
    sample('sluice_destination_replayed_total', labels, stats.replayed),
    sample('sluice_destination_delivered_total', labels, stats.delivered),
    sample('sluice_destination_requests_total', labels, stats.outputs),
    sample('sluice_destination_pending', labels, stats.pending),
    ...byReason('sluice_destination_dropped_total', labels, stats.dropped),
    ...byReason('sluice_destination_failed_total', labels, stats.failed),
    ...byReason('sluice_dead_letters_forgotten_total', labels, stats.forgotten),
  ]
  const ofSource = (workspace: string, stats: SourceStats): readonly Sample[] => {
    const labels = { workspace, source: stats.sourceId }
    return [
      sample('sluice_events_received_total', labels, stats.received),
      sample('sluice_events_suppressed_total', labels, stats.suppressed),
      sample('sluice_events_duplicate_total', labels, stats.duplicates),
      sample('sluice_events_accepted_total', labels, stats.accepted),
      sample('sluice_events_large_numbers_total', labels, stats.largeNumbers),
      sample('sluice_events_invalid_times_total', labels, stats.invalidTimes),
      sample('sluice_events_counted_only_total', labels, stats.countedOnly),
      ...byReason('sluice_events_rejected_total', labels, stats.rejected),
      ...stats.destinations.flatMap((each) => ofDestination({ ...labels, destination: each.destinationId }, each)),
    ]
  }
  const ofWorkspace = async (workspace: string): Promise<readonly Sample[]> => {
    const [stats, destinations, queues, letters, budgets] = await Promise.all([
      engine.reports.stats(workspace),
      health(workspace),
      engine.reports.queues(workspace),
      deadLetters.usage(workspace),
      usage(workspace),
    ])
    return [
      ...stats.flatMap((source) => ofSource(workspace, source)),
      ...destinations.flatMap((each) => healthSamples(workspace, each)),
      ...queueSamples(workspace, queues),
      sample('sluice_dead_letters', { workspace }, letters.letters),
      sample('sluice_dead_letters_share', { workspace }, letters.share),
      ...budgetSamples(workspace, budgets),
    ]
  }

  return async (workspaceIds: readonly string[]): Promise<readonly Sample[]> => {
    const [lost, lostCommits] = await Promise.all([store.lostBatches(), store.lostCommits?.()])
    const samples = await Promise.all(workspaceIds.map(ofWorkspace))
    return [
      ...samples.flat(),
      sample('sluice_log_batches_lost_total', {}, countLost(lost)),
      ...(lostCommits === undefined ? [] : [sample('sluice_store_commits_lost_total', {}, lostCommits)]),
    ]
  }
}

function healthSamples(
  workspace: string,
  { destinationId: destination, health }: Pick<DestinationHealth, 'destinationId' | 'health'>,
): readonly Sample[] {
  return healths.map((each) =>
    sample('sluice_destination_health', { workspace, destination, health: each }, each === health ? 1 : 0),
  )
}

type Metric = keyof typeof storedMetrics

function sample(name: Metric, labels: Labels, value: number): Sample {
  return { name, labels, value }
}

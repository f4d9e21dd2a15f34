import { BodyBudget } from '@sluice/http'
import { type BudgetUsage, createCountHistory } from '@sluice/pipeline'
import { createUsage } from '../create-usage.ts'
import type { Siblings } from '../siblings.ts'
import { isOfRuntime, type Sample } from '../telemetry/metric-table.ts'
import { prometheusText } from '../telemetry/prometheus-text.ts'
import { clusterSamples } from '../telemetry/samples/cluster-samples.ts'
import { joinedBy } from '../telemetry/samples/join-samples.ts'
import { createProcessSamples } from '../telemetry/samples/process-samples.ts'
import { createRuntimeSamples } from '../telemetry/samples/runtime-samples.ts'
import { createStoredSamples } from '../telemetry/samples/stored-samples.ts'
import { type TimeBounds, timeBounds } from '../telemetry/samples/time-bounds.ts'
import { usageOfAll } from '../telemetry/usage-of-all.ts'
import type { Base } from './base.ts'
import type { FlowParts } from './flow.ts'
import type { StoreParts } from './stores.ts'
import type { TelemetryParts } from './telemetry.ts'

export type OperationsParts = ReturnType<typeof assembleOperations>

/** Memory for all requests being received: about seventy of the largest. */
const bodiesBytesMax = 256 * 1_024 * 1_024

/**
 * Builds what operators read: budgets, metrics, and the counts of the last hour where the page is served.
 * @param siblings the processes of this server, when there are several: then the metrics are of all.
 */
export function assembleOperations(
  { options, clock, onError }: Base,
  { store, cluster }: StoreParts,
  { engine, deadLetters, observers, tap, workspaces }: FlowParts,
  { measured, exported, vitals }: TelemetryParts,
  siblings?: Siblings,
) {
  const bodies = new BodyBudget(bodiesBytesMax)
  const { all: ownUsage, inMemory } = createUsage({
    store,
    observers,
    tap,
    bodies,
    workspaces: () => workspaces().length,
  })
  const allIds = (): readonly string[] => workspaces().map(({ id }) => id)
  const history =
    options.studio &&
    createCountHistory({ clock, workspaceIds: allIds, stats: (id) => engine.reports.stats(id), onError })
  const health = async (id: string) =>
    engine.history.health(id, (await siblings?.circuits(id)) ?? engine.reports.circuits(id))
  const storedSamples = createStoredSamples({ engine, health, usage: ownUsage, deadLetters, store })
  const processSamples = createProcessSamples({ engine, cluster, measured, memory: inMemory })
  const runtime = createRuntimeSamples()
  const readSamples = async (workspaceIds: readonly string[]): Promise<readonly Sample[]> => [
    ...(await storedSamples(workspaceIds)),
    ...clusterSamples(cluster),
  ]
  const someSamples = async (workspaceIds: readonly string[]): Promise<readonly Sample[]> => {
    if (!siblings) return [...(await readSamples(workspaceIds)), ...measured.samples(workspaceIds)]
    const [stored, joined] = await Promise.all([storedSamples(workspaceIds), siblings.samples()])
    return [
      ...stored.filter((sample) => joinedBy(sample) === undefined),
      ...joined.filter(({ labels: { workspace } }) => workspace === undefined || workspaceIds.includes(workspace)),
    ]
  }
  const metrics = async (asked?: readonly string[]): Promise<string> => {
    const samples = await someSamples(asked ?? allIds())
    // What the whole process takes is the operator's.
    if (asked !== undefined) return prometheusText(samples.filter((sample) => !isOfRuntime(sample)))
    return prometheusText(siblings ? samples : [...samples, ...(await runtime.read())])
  }
  const unobserve = exported?.observe(() => readSamples(allIds()))
  return {
    bodies,
    /** Returns how much a workspace uses of each budget, in all processes. */
    usage: async (workspaceId: string): Promise<readonly BudgetUsage[]> => {
      const own = await ownUsage(workspaceId)
      return siblings ? usageOfAll(own, await siblings.samples(), workspaceId) : own
    },
    history,
    /** Returns what this process takes and does. */
    vitals: () => vitals.read(),
    /** Returns within which times this process has stored results of a workspace, and changes were in force everywhere. */
    workTimes: (workspaceId: string): Readonly<Record<'commits' | 'changes', TimeBounds | undefined>> => {
      const samples = measured.samples([workspaceId])
      return {
        commits: timeBounds(samples, 'sluice_work_seconds', { kind: 'commit' }),
        changes: timeBounds(samples, 'sluice_cluster_change_seconds'),
      }
    },
    /** Returns how the enabled destinations of a workspace do, in all processes. */
    health,
    /** Returns the figures that are of this process alone, of all workspaces. */
    processSamples: async () => [...(await processSamples(allIds())), ...(await runtime.read())],
    /** Returns the metrics of some workspaces, or of all, as text for Prometheus. */
    metrics,
    /** Stops exporting metrics, which read the store. */
    stopExport: () => unobserve?.(),
    async close() {
      runtime.close()
      await history?.close()
    },
  }
}

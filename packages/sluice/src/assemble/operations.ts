import { BodyBudget } from '@sluice/http'
import { createCountHistory } from '@sluice/pipeline'
import { createUsage } from '../create-usage.ts'
import { clusterSamples } from '../telemetry/cluster-samples.ts'
import type { Sample } from '../telemetry/metric-table.ts'
import { prometheusText } from '../telemetry/prometheus-text.ts'
import { createStoredSamples } from '../telemetry/stored-samples.ts'
import type { Base } from './base.ts'
import type { FlowParts } from './flow.ts'
import type { StoreParts } from './stores.ts'
import type { TelemetryParts } from './telemetry.ts'

export type OperationsParts = ReturnType<typeof assembleOperations>

/** Memory for all requests being received: about seventy of the largest. */
const bodiesBytesMax = 256 * 1_024 * 1_024

/** Builds what operators read: budgets, metrics, and the counts of the last hour where the page is served. */
export function assembleOperations(
  { options, clock, onError }: Base,
  { store, cluster }: StoreParts,
  { engine, deadLetters, observers, tap, workspaces }: FlowParts,
  { measured, exported }: TelemetryParts,
) {
  const bodies = new BodyBudget(bodiesBytesMax)
  const usage = createUsage({ store, observers, tap, bodies, workspaces: () => workspaces().length })
  const allIds = (): readonly string[] => workspaces().map(({ id }) => id)
  const history =
    options.studio &&
    createCountHistory({ clock, workspaceIds: allIds, stats: (id) => engine.reports.stats(id), onError })
  const storedSamples = createStoredSamples({ engine, usage, deadLetters, store })
  const readSamples = async (workspaceIds: readonly string[]): Promise<readonly Sample[]> => [
    ...(await storedSamples(workspaceIds)),
    ...clusterSamples(cluster),
  ]
  const unobserve = exported?.observe(() => readSamples(allIds()))
  return {
    bodies,
    usage,
    history,
    /** Returns the metrics of some workspaces, or of all, as text for Prometheus. */
    metrics: async (workspaceIds: readonly string[] = allIds()): Promise<string> =>
      prometheusText([...(await readSamples(workspaceIds)), ...measured.samples(workspaceIds)]),
    /** Stops exporting metrics, which read the store. */
    stopExport: () => unobserve?.(),
    async close() {
      await history?.close()
    },
  }
}

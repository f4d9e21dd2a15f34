import type { Event, Source, SourcedEvent } from '@sluice/core'
import type { DeliveryRequest, LoadedTable } from '@sluice/destinations'
import type { SchemaStore } from '@sluice/schema'
import type { DestinationPath, SourcedRequest } from '../../flow/destination-path.ts'
import { collectAt } from '../../flow/flow.ts'

/** A column of a warehouse that does not fit values of events that were seen. */
export interface LoadConflict {
  readonly table: string
  readonly column: string
  /** Why, for people: the type of the column, and what it cannot hold. */
  readonly reason: string
}

/** Samples that are planned at a time. */
const samplesMax = 2_000

/**
 * Compares the schema catalogue with the tables of a warehouse: takes the sampled events of the catalogue through the
 * stages of the destination, and asks its loader what would happen to their values. Nothing is loaded, and nothing is
 * counted. The catalogue has samples of every version, so of every combination of types; the newest versions come first
 * when there are very many.
 *
 * @returns the conflicts in order of table; undefined when the destination does not load.
 * @throws an Error when the warehouse cannot be asked.
 */
export async function findLoadConflicts(
  workspaceId: string,
  sources: readonly Pick<Source, 'id' | 'writeKey'>[],
  path: DestinationPath,
  schema: Pick<SchemaStore, 'models' | 'versions' | 'samples'>,
  signal: AbortSignal,
): Promise<readonly LoadConflict[] | undefined> {
  const { loader } = path
  if (loader === undefined) return undefined
  const samples: SourcedEvent[] = []
  for (const { id: sourceId, writeKey } of sources)
    for (const event of await sampledEvents(workspaceId, writeKey, schema, samplesMax - samples.length))
      samples.push({ workspaceId, sourceId, writeKey, event })
  const inputs = samples.map((item, origin) => ({ item, origin }))
  const requests: DeliveryRequest[] = []
  const collect = (item: SourcedRequest): undefined => {
    requests.push(...item.requests)
  }
  await collectAt(path, inputs, signal, collect, () => {})
  const tables = await loader.plan([requests], signal)
  return tables.flatMap(conflictsOf)
}

async function sampledEvents(
  workspaceId: string,
  writeKey: string,
  schema: Pick<SchemaStore, 'models' | 'versions' | 'samples'>,
  max: number,
): Promise<readonly Event[]> {
  const models = await schema.models(workspaceId, writeKey)
  const versions = (await Promise.all(models.map(({ eventId }) => schema.versions(workspaceId, eventId)))).flat()
  const events: Event[] = []
  for (const { versionId } of versions.sort((a, b) => b.firstSeen - a.firstSeen)) {
    if (events.length >= max) break
    for (const { text } of await schema.samples(workspaceId, versionId)) events.push(JSON.parse(text) as Event)
  }
  return events.slice(0, max)
}

function conflictsOf({ table, reasons }: LoadedTable): readonly LoadConflict[] {
  return reasons.map(({ column, reason }) => ({ table, column, reason }))
}

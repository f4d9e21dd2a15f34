import { createManualClock, createSeededRandom, systemClock, systemRandom } from '@sluice/core'
import type { LogBatch, Store } from '@sluice/pipeline'
import { createCatalogue, createObservers, createObserveStage, type VersionDelta } from '@sluice/schema'
import { expect } from 'vitest'

/** Everything in the log of a workspace that was not trimmed. */
export async function wholeLog(store: Pick<Store, 'log'>, workspaceId: string): Promise<readonly LogBatch[]> {
  const batches: LogBatch[] = []
  for (;;) {
    const more = await store.log.read(workspaceId, batches.at(-1)?.position ?? 0, 1_000)
    if (more.length === 0) return batches
    batches.push(...more)
  }
}

/** The expected catalogue, counted from the start in one go. */
async function recount(batches: readonly LogBatch[]): Promise<readonly VersionDelta[]> {
  const limits = { versionsMax: 10_000 }
  const stage = createObserveStage({ clock: createManualClock(), random: createSeededRandom(1), limits })
  for (const { workspaceId, sourceId, writeKey, receivedAt, events } of batches)
    await stage.run(
      events.map((event) => ({ workspaceId, sourceId, writeKey, event, receivedAt })),
      new AbortController().signal,
    )
  return stage.take().versions
}

/**
 * Checks that the catalogue has the counts, schemas and times of a fresh count of the batches. Counters of values may
 * lack values younger than ten seconds at a kill, and contain none that never occurred.
 * @param isPartly true for names of events that the catalogue may have observed only partly: their users were regulated
 * meanwhile.
 */
export async function expectCatalogueCounts(
  store: Pick<Store, 'schema'>,
  workspaceId: string,
  batches: readonly LogBatch[],
  isPartly: (eventIdentifier: string) => boolean = () => false,
): Promise<void> {
  const versions = await recount(batches)
  const catalogue = createCatalogue({
    store: store.schema,
    observers: createObservers({ clock: systemClock, random: systemRandom }),
  })
  const models = await store.schema.models(workspaceId)
  const seen = new Set(models.map(nameOf))
  expect(versions.map(nameOf).filter((name) => !seen.has(name) && !isPartly(name))).toEqual([])
  for (const model of models) {
    const expected = versions.filter((version) => nameOf(version) === nameOf(model))
    const count = expected.reduce((sum, version) => sum + version.count, 0)
    if (isPartly(model.eventIdentifier)) {
      expect(model.totalCount).toBeLessThanOrEqual(count)
      continue
    }
    const stored = await store.schema.versions(workspaceId, model.eventId)
    const shown = ({ schema, firstSeen, lastSeen }: VersionDelta | (typeof stored)[number], count: number): string =>
      JSON.stringify([Object.entries(schema).sort(), firstSeen, lastSeen, count])
    expect(stored.map((version) => shown(version, version.totalCount)).sort()).toEqual(
      expected.map((version) => shown(version, version.count)).sort(),
    )
    expect(model.totalCount).toBe(count)
    const keys = new Map<string, number>()
    for (const { schema, count } of expected)
      for (const key of Object.keys(schema)) keys.set(key, (keys.get(key) ?? 0) + count)
    expect(await catalogue.keyCounts(workspaceId, model.eventId)).toEqual(Object.fromEntries(keys))
    for (const [path, counter] of await store.schema.values(workspaceId, model.eventId))
      expect(counter.observations).toBeLessThanOrEqual(keys.get(path) ?? 0)
    expect((await store.schema.samples(workspaceId, model.eventId)).length).toBe(Math.min(5, model.totalCount))
  }
}

function nameOf({ eventType, eventIdentifier }: { eventType: string; eventIdentifier: string }): string {
  return `${eventType} ${eventIdentifier}`
}

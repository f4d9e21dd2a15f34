import type { EventModel, EventVersion, SchemaMetadata } from '@sluice/schema'

/** Records as the Data Governance API shows them. Source: packages/docs/api/governance.md#event-model. */

export function modelRecord(model: EventModel) {
  return {
    ID: model.id,
    EventID: model.eventId,
    WriteKey: model.writeKey,
    EventType: model.eventType,
    EventIdentifier: model.eventIdentifier,
    CreatedAt: new Date(model.createdAt).toISOString(),
    Schema: model.schema,
    LastSeen: new Date(model.lastSeen).toISOString(),
    TotalCount: model.totalCount,
  }
}

export function versionRecord(version: EventVersion) {
  return {
    ID: version.id,
    VersionID: version.versionId,
    EventModelID: version.eventModelId,
    Schema: version.schema,
    FirstSeen: new Date(version.firstSeen).toISOString(),
    LastSeen: new Date(version.lastSeen).toISOString(),
    TotalCount: version.totalCount,
  }
}

export function metadataRecord({ sampledEvents, totalCount, frequentValues }: SchemaMetadata) {
  const listed = Object.entries(frequentValues).map(([path, values]) => [
    path,
    values.map(({ value, frequency }) => ({ Value: value, Frequency: frequency })),
  ])
  return { SampledEvents: sampledEvents, TotalCount: totalCount, FrequentValues: Object.fromEntries(listed) }
}

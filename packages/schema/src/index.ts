export { type Catalogue, createCatalogue, type SchemaMetadata, type VersionDiff } from './catalogue.ts'
export { compareCodePoints } from './compare-code-points.ts'
export { type EventShape, eventShape, noShapeLimits, type ShapeLimits } from './event-shape.ts'
export { flattenEvent } from './flatten-event.ts'
export { addKeyCounts, mergeSchema } from './merge-schema.ts'
export { modelKeyOf, modelKeyText } from './model-key.ts'
export { createObserveStage, type ObserveStage, type ObserveStageOptions } from './observe-stage.ts'
export { defaultObservation, type ObservedSource } from './observed-source.ts'
export { createObservers, type ObservedFrom, type Observers, type ObserversOptions } from './observers.ts'
export { isSampleOf, mergeSamples, type Sample } from './sample.ts'
export type {
  BoundDelta,
  FlatSchema,
  ModelKey,
  ModelValues,
  SchemaDelta,
  SchemaTypeName,
  VersionDelta,
  VersionKey,
  VersionValues,
} from './schema-delta.ts'
export { schemaHash } from './schema-hash.ts'
export { defaultSchemaLimits, type SchemaBound, type SchemaLimits, schemaBounds } from './schema-limits.ts'
export { type EventModel, type EventVersion, type NewVersion, overflowHash, type SchemaStore } from './schema-store.ts'
export { forgetUsersInValues, type MergedValues, mergeValues, parseValues, uniteCounters } from './stored-values.ts'
export { mergeStructures, type Structure, structureOf, toJsonSchema, uniteStructures } from './structure.ts'
export { byModel, sumVersions } from './sum-versions.ts'
export {
  createTrackingPlanStage,
  trackingPlanProblem,
  unplannedReason,
  type Violation,
  violationReason,
} from './tracking-plan-stage.ts'
export { userDigest } from './user-digest.ts'
export { type FrequentValue, type StoredCounter, ValueCounter, type ValueMemory } from './value-counter.ts'

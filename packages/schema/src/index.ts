export { type Catalogue, createCatalogue, type SchemaMetadata, type VersionDiff } from './catalogue/catalogue.ts'
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
} from './catalogue/schema-delta.ts'
export { defaultSchemaLimits, type SchemaBound, type SchemaLimits, schemaBounds } from './catalogue/schema-limits.ts'
export {
  type EventModel,
  type EventVersion,
  type NewVersion,
  overflowHash,
  type SchemaStore,
} from './catalogue/schema-store.ts'
export {
  forgetUsersInValues,
  type MergedValues,
  mergeValues,
  parseValues,
  uniteCounters,
} from './observe/merged-values.ts'
export { createObserveStage, type ObserveStage, type ObserveStageOptions } from './observe/observe-stage.ts'
export { defaultObservation, type ObservedSource } from './observe/observed-source.ts'
export { createObservers, type ObservedFrom, type Observers, type ObserversOptions } from './observe/observers.ts'
export { isSampleOf, mergeSamples, type Sample } from './observe/sample.ts'
export { userDigest } from './observe/user-digest.ts'
export { type FrequentValue, type StoredCounter, ValueCounter, type ValueMemory } from './observe/value-counter.ts'
export { compareCodePoints } from './shapes/compare-code-points.ts'
export { type EventShape, eventShape, noShapeLimits, type ShapeLimits } from './shapes/event-shape.ts'
export { flattenEvent } from './shapes/flatten-event.ts'
export { addKeyCounts, mergeSchema } from './shapes/merge-schema.ts'
export { modelKeyOf, modelKeyText } from './shapes/model-key.ts'
export { schemaHash } from './shapes/schema-hash.ts'
export { mergeStructures, type Structure, structureOf, toJsonSchema, uniteStructures } from './shapes/structure.ts'
export { byModel, sumVersions } from './shapes/sum-versions.ts'
export {
  createTrackingPlanStage,
  trackingPlanProblem,
  unplannedReason,
  type Violation,
  violationReason,
} from './tracking-plan/tracking-plan-stage.ts'

export {
  type Catalogue,
  type CatalogueMentions,
  createCatalogue,
  type SchemaMetadata,
  type VersionDiff,
} from './catalogue/catalogue.ts'
export { type DayCount, dayMs, daysMax, daysOf, sumDays } from './catalogue/day-counts.ts'
export type {
  BoundDelta,
  ModelValues,
  SchemaDelta,
  VersionDelta,
  VersionKey,
  VersionValues,
} from './catalogue/schema-delta.ts'
export {
  type EventModel,
  type EventVersion,
  type NewVersion,
  overflowHash,
  type SchemaStore,
} from './catalogue/schema-store.ts'
export { byModel, sumVersions } from './catalogue/sum-versions.ts'
export { maskingCost } from './observe/masking-cost.ts'
export { createObserveStage, type ObserveStage, type ObserveStageOptions } from './observe/observe-stage.ts'
export { defaultObservation, type ObservedSource } from './observe/observed-source.ts'
export { createObservers, type ObservedFrom, type Observers, type ObserversOptions } from './observe/observers.ts'
export { createPersonalDataMask, hiddenValue, type PersonalDataMask } from './observe/personal-data.ts'
export { defaultSchemaLimits, type SchemaBound, type SchemaLimits, schemaBounds } from './schema-limits.ts'
export { compareCodePoints } from './shapes/compare-code-points.ts'
export { type EventShape, eventShape, noShapeLimits, type ShapeLimits } from './shapes/event-shape.ts'
export type { FlatSchema, SchemaTypeName } from './shapes/flat-schema.ts'
export { flattenEvent } from './shapes/flatten-event.ts'
export { addKeyCounts, mergeSchema } from './shapes/merge-schema.ts'
export type { ModelKey } from './shapes/model-key.ts'
export { modelKeyOf, modelKeyText } from './shapes/model-key.ts'
export { schemaHash } from './shapes/schema-hash.ts'
export { mergeStructures, type Structure, structureOf, toJsonSchema, uniteStructures } from './shapes/structure.ts'
export { type InOwnTurn, preparePlan, trackingPlanProblem } from './tracking-plan/compile-plan.ts'
export {
  createTrackingPlanStage,
  type InTurns,
  unplannedReason,
  violationReason,
} from './tracking-plan/tracking-plan-stage.ts'
export type { Violation } from './tracking-plan/violation.ts'
export { createViolationFinder, type FoundViolation, type ViolationFinder } from './tracking-plan/violation-finder.ts'
export { createMentions, type Mentions } from './values/mentions.ts'
export {
  forgetMentionsInValues,
  type MergedValues,
  mergeValues,
  parseValues,
  textOfCounters,
  uniteCounters,
} from './values/merged-values.ts'
export { noOwnedValues, OwnedValueCounter, type OwnedValues } from './values/owned-values.ts'
export { isSampleOf, mergeSamples, type Sample } from './values/sample.ts'
export { userDigest } from './values/user-digest.ts'
export { type FrequentValue, type StoredCounter, ValueCounter, type ValueMemory } from './values/value-counter.ts'

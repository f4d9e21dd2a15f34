// Everything but the definitions of destinations, which take longest to load. Others load one at a time: `./load`.
export { type BatchedEvents, type BatchInput, batchEntries } from './kit/batching/batch.ts'
export {
  type DestinationFamily,
  type DestinationSource,
  isDestinationFamily,
  type LoadedDefinition,
} from './kit/define/registry/destination-family.ts'
export { createDestinationRegistry, type DestinationRegistry } from './kit/define/registry/destination-registry.ts'
export { type ParsedDefinition, parseDefinition } from './kit/define/registry/parse-definition.ts'
export type { PublicAction, PublicActions, PublicPreset } from './kit/define/registry/public-actions.ts'
export { type PublicDefinition, publicDefinition } from './kit/define/registry/public-definition.ts'
export { createEventFilter, unsupportedReason } from './kit/event-filter/create-event-filter.ts'
export type { EventFilter } from './kit/event-filter/event-filter.ts'
export { listReasons } from './kit/event-filter/event-lists.ts'
export { createPermissionStage } from './kit/event-filter/permission-stage.ts'
export * from './kit/index.ts'
export {
  createDestinationTransformStage,
  type DestinationTransformOptions,
  type MappedEvent,
  nothingToSend,
  type OpenMapping,
} from './kit/map/destination-transform-stage.ts'
export { type ChosenSettings, withoutStoredSecrets } from './kit/settings/map-with-guarded-secrets.ts'
export { maskedText, maskSentSettings, maskSettings } from './kit/settings/mask-settings.ts'
export { createSecretMask, isSecretHeader, type SecretMask } from './kit/settings/secret-mask.ts'

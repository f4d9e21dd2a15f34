export { builtInDestinations } from './built-in-destinations.ts'
export {
  type DestinationDefinition,
  type DestinationExample,
  defineDestination,
  everyType,
  isTypedEvent,
  type Mapped,
  type TypedEvent,
} from './define-destination.ts'
export {
  type DeliveryBody,
  type DeliveryRequest,
  form,
  json,
  jsonArray,
  query,
  type RequestParts,
  xml,
} from './delivery-request.ts'
export { createDestinationRegistry, type DestinationRegistry } from './destination-registry.ts'
export {
  createDestinationTransformStage,
  type DestinationTransformOptions,
  type MappedEvent,
} from './destination-transform-stage.ts'
export { type MappingError, type MappingErrorCode, mappingError } from './mapping-error.ts'
export { maskedText, maskSettings } from './mask-settings.ts'
export { type ParsedSettings, parseSettings, type SettingsProblem } from './parse-settings.ts'
export { type PublicDefinition, publicDefinition } from './public-definition.ts'
export { webhook } from './webhook/webhook.ts'

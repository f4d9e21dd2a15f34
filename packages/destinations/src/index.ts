export { type AccountRule, type AccountTokens, type OAuth2Options, oauth2 } from './account.ts'
export { amplitude } from './amplitude/amplitude.ts'
export { appsflyer } from './appsflyer/appsflyer.ts'
export {
  type Batch,
  type BatchEntry,
  type BatchedEvents,
  type BatchInput,
  type BatchLimits,
  type BatchPart,
  type BatchRule,
  batchEntries,
  batchEvents,
} from './batching/batch.ts'
export { joined } from './batching/joined.ts'
export { kindByKind } from './batching/kind-by-kind.ts'
export { type PackItem, type PackRule, pack } from './batching/pack.ts'
export { type LinesRule, packLines } from './batching/pack-lines.ts'
export { braze } from './braze/braze.ts'
export { builtInDestinations } from './built-in-destinations.ts'
export { clevertap } from './clevertap/clevertap.ts'
export { isConnectionHeader } from './connection-headers.ts'
export { consoleDestination } from './console/console.ts'
export * as convert from './convert/index.ts'
export { custify } from './custify/custify.ts'
export { customerio } from './customerio/customerio.ts'
export { type DeletionOnly, defineDeletionOnly } from './define-deletion-only.ts'
export {
  type DestinationDefinition,
  type DestinationExample,
  defineDestination,
  type Mapped,
  type MappingContext,
} from './define-destination.ts'
export type { DeletionContext, DeletionExample, DeletionRule } from './deletion.ts'
export {
  type DeliveryBody,
  type DeliveryRequest,
  form,
  json,
  jsonArray,
  query,
  type RequestParts,
  sink,
  xml,
} from './delivery-request.ts'
export { createDestinationRegistry, type DestinationRegistry } from './destination-registry.ts'
export {
  createDestinationTransformStage,
  type DestinationTransformOptions,
  type MappedEvent,
  userKeyOf,
} from './destination-transform-stage.ts'
export { emarsys } from './emarsys/emarsys.ts'
export { engage } from './engage/engage.ts'
export { createEventFilter, type EventFilter } from './event-filter/event-filter.ts'
export { eventFilterSettings } from './event-filter/event-filter-settings.ts'
export { createPermissionStage } from './event-filter/permission-stage.ts'
export { file } from './file/file.ts'
export { flatten } from './flatten.ts'
export { ga4 } from './ga4/ga4.ts'
export { googleAnalytics } from './google-analytics/google-analytics.ts'
export { heap } from './heap/heap.ts'
export { type ChosenSettings, originOf, withoutStoredSecrets } from './home-origins.ts'
export { http } from './http/http.ts'
export { intercom } from './intercom/intercom.ts'
export { iterable } from './iterable/iterable.ts'
export type { KeptLinesRule } from './kept-lines.ts'
export { mapEvent } from './map-event.ts'
export {
  configurationError,
  instrumentationError,
  isMappingError,
  type MappingError,
  type MappingErrorType,
  mappingError,
} from './mapping-error.ts'
export { maskedText, maskSettings } from './mask-settings.ts'
export { everyType, type MessageType, messageTypeOf, messageTypes, type TypedEvent } from './message-type.ts'
export { mixpanel } from './mixpanel/mixpanel.ts'
export { type ParsedDefinition, parseDefinition } from './parse-definition.ts'
export { type ParsedSettings, parseSettings } from './parse-settings.ts'
export { posthog } from './posthog/posthog.ts'
export { type PublicDefinition, publicDefinition } from './public-definition.ts'
export { destinationReadme } from './readme/destination-readme.ts'
export { redis } from './redis/redis.ts'
export type { DestinationReply, ItemVerdict, ReplyOutcome, Verdict } from './reply.ts'
export { type PerItemRule, type RefusedItem, respondPerItem } from './respond-per-item.ts'
export { generic } from './rules/generic-fields.ts'
export { type Mapping, mapping } from './rules/mapping.ts'
export type { Condition, Converter, Rule } from './rules/rule.ts'
export { to } from './rules/to.ts'
export { runPurely } from './run-purely.ts'
export { s3 } from './s3/s3.ts'
export { createSecretMask, type SecretMask } from './secret-mask.ts'
export { segment } from './segment/segment.ts'
export { sendgrid } from './sendgrid/sendgrid.ts'
export type { SettingsProblem } from './settings-problem.ts'
export { slack } from './slack/slack.ts'
export { sprig } from './sprig/sprig.ts'
export { statsig } from './statsig/statsig.ts'
export { type UserAgent, userAgent } from './user-agent.ts'
export { verdictByStatus } from './verdict-by-status.ts'
export { webhook } from './webhook/webhook.ts'
export { zapier } from './zapier/zapier.ts'

export { builtInDestinations } from './built-in-destinations.ts'
export { type BatchedEvents, type BatchInput, batchEntries, batchEvents } from './kit/batching/batch.ts'
export type { Batch, BatchEntry, BatchLimits, BatchPart, BatchRule } from './kit/batching/batch-rule.ts'
export { joined } from './kit/batching/joined.ts'
export { kindByKind } from './kit/batching/kind-by-kind.ts'
export { type PackItem, type PackRule, pack } from './kit/batching/pack.ts'
export { type LinesRule, packLines } from './kit/batching/pack-lines.ts'
export * as convert from './kit/convert/index.ts'
export { type AccountRule, type AccountTokens, type OAuth2Options, oauth2 } from './kit/define/account-rule.ts'
export type { ActionAccount, ActionCall, ActionReply, ActionRule, PerformCall } from './kit/define/action-rule.ts'
export type { CredentialCheck } from './kit/define/credential-check.ts'
export { type DeletionOnly, defineDeletionOnly } from './kit/define/define-deletion-only.ts'
export {
  type DestinationDefinition,
  type DestinationExample,
  defineDestination,
  type Mapped,
  type MappingContext,
} from './kit/define/define-destination.ts'
export type { DeletionContext, DeletionExample, DeletionRule } from './kit/define/deletion.ts'
export {
  type DestinationFamily,
  type DestinationSource,
  isDestinationFamily,
  type LoadedDefinition,
} from './kit/define/destination-family.ts'
export { createDestinationRegistry, type DestinationRegistry } from './kit/define/destination-registry.ts'
export type { KeptLinesRule } from './kit/define/kept-lines.ts'
export { everyType, type MessageType, messageTypeOf, messageTypes, type TypedEvent } from './kit/define/message-type.ts'
export { type ParsedDefinition, parseDefinition } from './kit/define/parse-definition.ts'
export type { PublicAction, PublicActions, PublicPreset } from './kit/define/public-actions.ts'
export { type PublicDefinition, publicDefinition } from './kit/define/public-definition.ts'
export type { DestinationReply, ItemVerdict, ReplyOutcome, Verdict } from './kit/define/reply.ts'
export { type PerItemRule, type RefusedItem, respondPerItem } from './kit/define/respond-per-item.ts'
export { verdictByStatus } from './kit/define/verdict-by-status.ts'
export { createEventFilter } from './kit/event-filter/create-event-filter.ts'
export type { EventFilter } from './kit/event-filter/event-filter.ts'
export { eventFilterSettings } from './kit/event-filter/event-filter-settings.ts'
export { createPermissionStage } from './kit/event-filter/permission-stage.ts'
export { isConnectionHeader } from './kit/map/connection-headers.ts'
export {
  type ActionParts,
  action,
  type DeliveryBody,
  type DeliveryRequest,
  form,
  json,
  jsonArray,
  query,
  type RequestParts,
  sink,
  xml,
} from './kit/map/delivery-request.ts'
export {
  createDestinationTransformStage,
  type DestinationTransformOptions,
  type MappedEvent,
  userKeyOf,
} from './kit/map/destination-transform-stage.ts'
export { flatten } from './kit/map/flatten.ts'
export { mapEvent } from './kit/map/map-event.ts'
export {
  configurationError,
  instrumentationError,
  isMappingError,
  type MappingError,
  type MappingErrorType,
  mappingError,
} from './kit/map/mapping-error.ts'
export { runPurely } from './kit/map/run-purely.ts'
export { type UserAgent, userAgent } from './kit/map/user-agent.ts'
export { generic } from './kit/rules/generic-fields.ts'
export { type Mapping, mapping } from './kit/rules/mapping.ts'
export type { Condition, Converter, Rule } from './kit/rules/rule.ts'
export { to } from './kit/rules/to.ts'
export { type ChosenSettings, originOf, withoutStoredSecrets } from './kit/settings/map-at-home.ts'
export { maskedText, maskSettings } from './kit/settings/mask-settings.ts'
export { type ParsedSettings, parseSettings } from './kit/settings/parse-settings.ts'
export { isSettingTemplate } from './kit/settings/resolve-settings.ts'
export { createSecretMask, type SecretMask } from './kit/settings/secret-mask.ts'
export type { SettingsProblem } from './kit/settings/settings-problem.ts'
export { amplitude } from './products/amplitude/amplitude.ts'
export { appsflyer } from './products/appsflyer/appsflyer.ts'
export { braze } from './products/braze/braze.ts'
export { clevertap } from './products/clevertap/clevertap.ts'
export { consoleDestination } from './products/console/console.ts'
export { custify } from './products/custify/custify.ts'
export { customerio } from './products/customerio/customerio.ts'
export { emarsys } from './products/emarsys/emarsys.ts'
export { engage } from './products/engage/engage.ts'
export { file } from './products/file/file.ts'
export { ga4 } from './products/ga4/ga4.ts'
export { googleAnalytics } from './products/google-analytics/google-analytics.ts'
export { heap } from './products/heap/heap.ts'
export { http } from './products/http/http.ts'
export { intercom } from './products/intercom/intercom.ts'
export { iterable } from './products/iterable/iterable.ts'
export { mixpanel } from './products/mixpanel/mixpanel.ts'
export { posthog } from './products/posthog/posthog.ts'
export { redis } from './products/redis/redis.ts'
export { s3 } from './products/s3/s3.ts'
export { segment } from './products/segment/segment.ts'
export { sendgrid } from './products/sendgrid/sendgrid.ts'
export { slack } from './products/slack/slack.ts'
export { sprig } from './products/sprig/sprig.ts'
export { statsig } from './products/statsig/statsig.ts'
export { webhook } from './products/webhook/webhook.ts'
export { zapier } from './products/zapier/zapier.ts'
export { destinationReadme } from './readme/destination-readme.ts'

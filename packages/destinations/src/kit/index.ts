/**
 * Everything that a destination is made of. Sluice's own destinations import only this, and those of other packages get
 * the same from `@sluice/destinations`.
 */

export { defined } from '@sluice/core/defined'
export {
  consistentlyHashed,
  googleAdsAccount,
  googleAdsCustomer,
  googleAdsHeaders,
  googleAdsSecrets,
  googleAdsSettings,
  googleConsent,
} from './ad-platforms/google-ads.ts'
export { nextGoogleAdsCall } from './ad-platforms/google-ads-calls.ts'
export { isHashed } from './ad-platforms/hashed.ts'
export { hashedWhen } from './ad-platforms/hashed-when.ts'
export * as normalise from './ad-platforms/normalise.ts'
export { type PersonalField, personalData } from './ad-platforms/personal-data.ts'
export { respondLikeGoogleAds, respondPerConversion } from './ad-platforms/respond-like-google-ads.ts'
export { respondLikeMeta } from './ad-platforms/respond-like-meta.ts'
export { batchEvents, eachAlone } from './batching/batch.ts'
export { batchPerKind } from './batching/batch-per-kind.ts'
export type { Batch, BatchEntry, BatchLimits, BatchPart, BatchRule } from './batching/batch-rule.ts'
export { joined } from './batching/joined.ts'
export { jointArray, jointRequest, withoutUser } from './batching/joint-request.ts'
export { type PackItem, type PackItems, type PackRule, pack } from './batching/pack.ts'
export { type LinesRule, packLines } from './batching/pack-lines.ts'
export { type ListsRule, packLists } from './batching/pack-lists.ts'
export { sameTarget } from './batching/same-target.ts'
export * as convert from './convert/index.ts'
export { type AccountRule, type AccountTokens, type OAuth2Options, oauth2 } from './define/account/account-rule.ts'
export { bearer } from './define/account/bearer.ts'
export type { CredentialCheck } from './define/account/credential-check.ts'
export {
  googleTokenEndpoint,
  parseServiceAccount,
  type ServiceAccount,
  serviceAccountToken,
  tokenForm,
} from './define/account/service-account.ts'
export type { ActionAccount, ActionCall, ActionReply, ActionRule, PerformCall } from './define/action-rule.ts'
export { type DeletionOnly, defineDeletionOnly } from './define/define-deletion-only.ts'
export {
  type DestinationDefinition,
  type DestinationExample,
  defineDestination,
  type Mapped,
  type MappingContext,
} from './define/define-destination.ts'
export type {
  DeletionContext,
  DeletionExample,
  DeletionFollow,
  DeletionProgress,
  DeletionRule,
  SearchRule,
} from './define/deletion.ts'
export { identifiersOf } from './define/identifiers-of.ts'
export type { KeptLinesRule } from './define/kept-lines.ts'
export type {
  DiscardReason,
  LoadedTable,
  Loader,
  LoadPace,
  LoadPlace,
  LoadReport,
  LoadRule,
} from './define/load-rule.ts'
export { everyType, type MessageType, messageTypeOf, messageTypes, type TypedEvent } from './define/message-type.ts'
export type { DestinationReply, ItemVerdict, ReplyOutcome, Verdict } from './define/reply/reply.ts'
export { type PerItemRule, type RefusedItem, respondPerItem } from './define/reply/respond-per-item.ts'
export { respondWithCount } from './define/reply/respond-with-count.ts'
export { verdictByStatus, verdictOfAccount } from './define/reply/verdict-by-status.ts'
export { setMember } from './define/set-member.ts'
export {
  type EcommerceEvent,
  type EcommerceNames,
  ecommerceEventOf,
  ecommerceEvents,
  specifiedName,
} from './ecommerce/ecommerce-events.ts'
export { productIdOf, productsOf } from './ecommerce/products-of.ts'
export { eventFilterSettings } from './event-filter/event-filter-settings.ts'
export { consentNames, gateListNames, gateNames } from './event-filter/gate-names.ts'
export { sourcePlatform } from './event-filter/source-platform.ts'
export { unreadableGate } from './event-filter/unreadable-gate.ts'
export { type Answers, type Ask, ask, isAsk, isKnown, type Question } from './map/ask.ts'
export { chosenFor } from './map/chosen-for.ts'
export { advertisingId, limitedAdvertisingIds } from './map/device/advertising-id.ts'
export { isApplePlatform } from './map/device/apple-platform.ts'
export { type DeviceIdNames, deviceIds } from './map/device/device-ids.ts'
export { agentPart, type UserAgent, userAgent } from './map/device/user-agent.ts'
export { eventOptions } from './map/event-options.ts'
export { mapEvent } from './map/map-event.ts'
export { type MappedRow, mappedRowOf } from './map/mapped-row.ts'
export {
  configurationError,
  instrumentationError,
  isMappingError,
  type MappingError,
  type MappingErrorType,
  mappingError,
} from './map/mapping-error.ts'
export { flatten } from './map/members/flatten.ts'
export { objectOrEmpty } from './map/members/object-or-empty.ts'
export { objectsIn } from './map/members/objects-in.ts'
export { personEmail } from './map/members/person-email.ts'
export { traitsOf } from './map/members/traits-of.ts'
export { withoutMembers } from './map/members/without-members.ts'
export { compressed, compressionSetting } from './map/request/compression.ts'
export { isConnectionHeader } from './map/request/connection-headers.ts'
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
} from './map/request/delivery-request.ts'
export { encodeSegment, isSegment } from './map/request/encode-segment.ts'
export { fillTemplate } from './map/request/fill-template.ts'
export { isJsonLarger } from './map/request/is-json-larger.ts'
export { runPurely } from './map/run-purely.ts'
export { eventPatterns } from './message/event-patterns.ts'
export { parseMessageTemplate, templateLengthMax } from './message/message-template.ts'
export { namedValues, renderMessage } from './message/render-message.ts'
export { externalId } from './rules/external-id.ts'
export { firstAt } from './rules/first-at.ts'
export { generic, traits } from './rules/generic-fields.ts'
export { isBlank, isPresent } from './rules/is-blank.ts'
export { type KeyPath, valueAt } from './rules/key-path.ts'
export { type Mapping, mapping } from './rules/mapping.ts'
export { type Condition, type Converter, isSettable, type Rule } from './rules/rule.ts'
export { to } from './rules/to.ts'
export { withMember } from './rules/with-member.ts'
export type { FieldWords } from './settings/declare/field.ts'
export * as field from './settings/declare/field.ts'
export { oauthAccount, oauthSettings } from './settings/declare/oauth-settings.ts'
export { operatorSettings } from './settings/declare/operator-settings.ts'
export { type RegionHosts, regionHosts } from './settings/declare/region-hosts.ts'
export { webAddress } from './settings/declare/web-address.ts'
export { originOf } from './settings/map-with-guarded-secrets.ts'
export { type ParsedSettings, parseSettings } from './settings/parse-settings.ts'
export { isSettingTemplate } from './settings/resolve-settings.ts'
export type { SettingsProblem } from './settings/settings-problem.ts'
export { awsKeySettings, awsRequest } from './stream/aws-request.ts'
export { type KafkaCluster, kafkaLimits, kafkaRequest, kafkaTopicSettings } from './stream/kafka-request.ts'
export { type RedisServer, redisCommands, redisServerSettings } from './stream/redis-server.ts'
export { type StreamMessage, streamMessages } from './stream/stream-messages.ts'
export {
  respondToStream,
  type StreamLimits,
  type StreamRequest,
  type StreamResult,
  streamBatch,
  streamKey,
  streamRequest,
} from './stream/stream-request.ts'
export { streamTraits } from './stream/stream-traits.ts'
export { certificateProblems, tlsOptions, tlsProblems, tlsSettings } from './stream/tls-settings.ts'
export { entryFor, topicInTable, topicOf } from './stream/topic-of.ts'

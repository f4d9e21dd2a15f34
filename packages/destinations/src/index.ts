export { builtInDestinations } from './built-in-destinations.ts'
export { type BatchedEvents, type BatchInput, batchEntries } from './kit/batching/batch.ts'
export {
  type DestinationFamily,
  type DestinationSource,
  isDestinationFamily,
  type LoadedDefinition,
} from './kit/define/destination-family.ts'
export { createDestinationRegistry, type DestinationRegistry } from './kit/define/destination-registry.ts'
export { type ParsedDefinition, parseDefinition } from './kit/define/parse-definition.ts'
export type { PublicAction, PublicActions, PublicPreset } from './kit/define/public-actions.ts'
export { type PublicDefinition, publicDefinition } from './kit/define/public-definition.ts'
export { createEventFilter } from './kit/event-filter/create-event-filter.ts'
export type { EventFilter } from './kit/event-filter/event-filter.ts'
export { createPermissionStage } from './kit/event-filter/permission-stage.ts'
export * from './kit/index.ts'
export {
  createDestinationTransformStage,
  type DestinationTransformOptions,
  type MappedEvent,
  nothingToSend,
  type OpenMapping,
  userKeyOf,
} from './kit/map/destination-transform-stage.ts'
export { type ChosenSettings, withoutStoredSecrets } from './kit/settings/map-at-home.ts'
export { maskedText, maskSettings } from './kit/settings/mask-settings.ts'
export { createSecretMask, type SecretMask } from './kit/settings/secret-mask.ts'
export type { SettingsProblem } from './kit/settings/settings-problem.ts'
export { adjust } from './products/adjust/adjust.ts'
export { amplitude } from './products/amplitude/amplitude.ts'
export { appsflyer } from './products/appsflyer/appsflyer.ts'
export { branch } from './products/branch/branch.ts'
export { braze } from './products/braze/braze.ts'
export { clevertap } from './products/clevertap/clevertap.ts'
export { consoleDestination } from './products/console/console.ts'
export { custify } from './products/custify/custify.ts'
export { customerio } from './products/customerio/customerio.ts'
export { emarsys } from './products/emarsys/emarsys.ts'
export { engage } from './products/engage/engage.ts'
export { facebookPixel } from './products/facebook-pixel/facebook-pixel.ts'
export { file } from './products/file/file.ts'
export { ga4 } from './products/ga4/ga4.ts'
export { googleAnalytics } from './products/google-analytics/google-analytics.ts'
export { heap } from './products/heap/heap.ts'
export { http } from './products/http/http.ts'
export { intercom } from './products/intercom/intercom.ts'
export { iterable } from './products/iterable/iterable.ts'
export { klaviyo } from './products/klaviyo/klaviyo.ts'
export { mixpanel } from './products/mixpanel/mixpanel.ts'
export { pinterestTag } from './products/pinterest-tag/pinterest-tag.ts'
export { posthog } from './products/posthog/posthog.ts'
export { redis } from './products/redis/redis.ts'
export { s3 } from './products/s3/s3.ts'
export { segment } from './products/segment/segment.ts'
export { sendgrid } from './products/sendgrid/sendgrid.ts'
export { singular } from './products/singular/singular.ts'
export { slack } from './products/slack/slack.ts'
export { snapchatConversion } from './products/snapchat-conversion/snapchat-conversion.ts'
export { sprig } from './products/sprig/sprig.ts'
export { statsig } from './products/statsig/statsig.ts'
export { tiktokAds } from './products/tiktok-ads/tiktok-ads.ts'
export { webhook } from './products/webhook/webhook.ts'
export { zapier } from './products/zapier/zapier.ts'
export { destinationReadme } from './readme/destination-readme.ts'

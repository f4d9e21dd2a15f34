import type { DestinationDefinition } from './kit/define/define-destination.ts'

/** A built-in destination that is loaded when it is needed. */
export interface LoadableDestination {
  readonly type: string
  readonly displayName: string
  load(): Promise<DestinationDefinition>
}

/** All destinations that come with Sluice, not loaded yet, in the order of `builtInDestinations`. */
export const loadableDestinations: readonly LoadableDestination[] = [
  { type: 'ADJ', displayName: 'Adjust', load: async () => (await import('./products/adjust/adjust.ts')).adjust },
  {
    type: 'AIRSHIP',
    displayName: 'Airship',
    load: async () => (await import('./products/airship/airship.ts')).airship,
  },
  {
    type: 'ALGOLIA',
    displayName: 'Algolia',
    load: async () => (await import('./products/algolia/algolia.ts')).algolia,
  },
  {
    type: 'AM',
    displayName: 'Amplitude',
    load: async () => (await import('./products/amplitude/amplitude.ts')).amplitude,
  },
  {
    type: 'AF',
    displayName: 'AppsFlyer',
    load: async () => (await import('./products/appsflyer/appsflyer.ts')).appsflyer,
  },
  {
    type: 'ATTENTIVE_TAG',
    displayName: 'Attentive Tag',
    load: async () => (await import('./products/attentive-tag/attentive-tag.ts')).attentiveTag,
  },
  {
    type: 'AZURE_EVENT_HUB',
    displayName: 'Azure Event Hubs',
    load: async () => (await import('./products/azure-event-hub/azure-event-hub.ts')).azureEventHub,
  },
  {
    type: 'BRANCH',
    displayName: 'Branch Metrics',
    load: async () => (await import('./products/branch/branch.ts')).branch,
  },
  { type: 'BRAZE', displayName: 'Braze', load: async () => (await import('./products/braze/braze.ts')).braze },
  {
    type: 'CLEVERTAP',
    displayName: 'CleverTap',
    load: async () => (await import('./products/clevertap/clevertap.ts')).clevertap,
  },
  {
    type: 'CONFLUENT_CLOUD',
    displayName: 'Confluent Cloud',
    load: async () => (await import('./products/confluent-cloud/confluent-cloud.ts')).confluentCloud,
  },
  {
    type: 'CONSOLE',
    displayName: 'Console',
    load: async () => (await import('./products/console/console.ts')).consoleDestination,
  },
  {
    type: 'CUSTIFY',
    displayName: 'Custify',
    load: async () => (await import('./products/custify/custify.ts')).custify,
  },
  {
    type: 'CUSTOMERIO',
    displayName: 'Customer IO',
    load: async () => (await import('./products/customerio/customerio.ts')).customerio,
  },
  {
    type: 'EMARSYS',
    displayName: 'Emarsys',
    load: async () => (await import('./products/emarsys/emarsys.ts')).emarsys,
  },
  { type: 'ENGAGE', displayName: 'Engage', load: async () => (await import('./products/engage/engage.ts')).engage },
  {
    type: 'EVENTBRIDGE',
    displayName: 'Amazon EventBridge',
    load: async () => (await import('./products/eventbridge/eventbridge.ts')).eventbridge,
  },
  {
    type: 'FACEBOOK_PIXEL',
    displayName: 'Facebook Pixel',
    load: async () => (await import('./products/facebook-pixel/facebook-pixel.ts')).facebookPixel,
  },
  {
    type: 'FB_CUSTOM_AUDIENCE',
    displayName: 'Facebook Custom Audience',
    load: async () => (await import('./products/fb-custom-audience/fb-custom-audience.ts')).fbCustomAudience,
  },
  { type: 'FILE', displayName: 'File', load: async () => (await import('./products/file/file.ts')).file },
  {
    type: 'FIREHOSE',
    displayName: 'Amazon Kinesis Firehose',
    load: async () => (await import('./products/firehose/firehose.ts')).firehose,
  },
  {
    type: 'GA4',
    displayName: 'Google Analytics 4 (GA4)',
    load: async () => (await import('./products/ga4/ga4.ts')).ga4,
  },
  {
    type: 'GOOGLE_ADWORDS_ENHANCED_CONVERSIONS',
    displayName: 'Google Ads Enhanced Conversions',
    load: async () =>
      (await import('./products/google-adwords-enhanced-conversions/google-adwords-enhanced-conversions.ts'))
        .googleAdwordsEnhancedConversions,
  },
  {
    type: 'GOOGLE_ADWORDS_OFFLINE_CONVERSIONS',
    displayName: 'Google Ads Offline Conversions',
    load: async () =>
      (await import('./products/google-adwords-offline-conversions/google-adwords-offline-conversions.ts'))
        .googleAdwordsOfflineConversions,
  },
  {
    type: 'GOOGLE_ADWORDS_REMARKETING_LISTS',
    displayName: 'Google Ads Remarketing Lists (Customer Match)',
    load: async () =>
      (await import('./products/google-adwords-remarketing-lists/google-adwords-remarketing-lists.ts'))
        .googleAdwordsRemarketingLists,
  },
  {
    type: 'GA',
    displayName: 'Google Analytics',
    load: async () => (await import('./products/google-analytics/google-analytics.ts')).googleAnalytics,
  },
  {
    type: 'GOOGLEPUBSUB',
    displayName: 'Google Pub/Sub',
    load: async () => (await import('./products/google-pubsub/google-pubsub.ts')).googlePubsub,
  },
  { type: 'HEAP', displayName: 'Heap.io', load: async () => (await import('./products/heap/heap.ts')).heap },
  { type: 'HTTP', displayName: 'HTTP Webhook', load: async () => (await import('./products/http/http.ts')).http },
  { type: 'HS', displayName: 'HubSpot', load: async () => (await import('./products/hubspot/hubspot.ts')).hubspot },
  {
    type: 'INTERCOM',
    displayName: 'Intercom',
    load: async () => (await import('./products/intercom/intercom.ts')).intercom,
  },
  {
    type: 'ITERABLE',
    displayName: 'Iterable',
    load: async () => (await import('./products/iterable/iterable.ts')).iterable,
  },
  { type: 'KAFKA', displayName: 'Apache Kafka', load: async () => (await import('./products/kafka/kafka.ts')).kafka },
  {
    type: 'KINESIS',
    displayName: 'Amazon Kinesis',
    load: async () => (await import('./products/kinesis/kinesis.ts')).kinesis,
  },
  {
    type: 'KLAVIYO',
    displayName: 'Klaviyo',
    load: async () => (await import('./products/klaviyo/klaviyo.ts')).klaviyo,
  },
  {
    type: 'LINKEDIN_ADS',
    displayName: 'Linkedin Ads',
    load: async () => (await import('./products/linkedin-ads/linkedin-ads.ts')).linkedinAds,
  },
  {
    type: 'MAILCHIMP',
    displayName: 'Mailchimp',
    load: async () => (await import('./products/mailchimp/mailchimp.ts')).mailchimp,
  },
  { type: 'MP', displayName: 'Mixpanel', load: async () => (await import('./products/mixpanel/mixpanel.ts')).mixpanel },
  {
    type: 'MOENGAGE',
    displayName: 'MoEngage',
    load: async () => (await import('./products/moengage/moengage.ts')).moengage,
  },
  { type: 'MQTT', displayName: 'MQTT', load: async () => (await import('./products/mqtt/mqtt.ts')).mqtt },
  { type: 'NATS', displayName: 'NATS', load: async () => (await import('./products/nats/nats.ts')).nats },
  {
    type: 'ONE_SIGNAL',
    displayName: 'OneSignal',
    load: async () => (await import('./products/one-signal/one-signal.ts')).oneSignal,
  },
  {
    type: 'OPENDSR',
    displayName: 'OpenDSR processor',
    load: async () => (await import('./products/opendsr/opendsr.ts')).opendsr,
  },
  {
    type: 'PINTEREST_TAG',
    displayName: 'Pinterest Tag',
    load: async () => (await import('./products/pinterest-tag/pinterest-tag.ts')).pinterestTag,
  },
  {
    type: 'POSTHOG',
    displayName: 'PostHog',
    load: async () => (await import('./products/posthog/posthog.ts')).posthog,
  },
  {
    type: 'RABBITMQ',
    displayName: 'RabbitMQ',
    load: async () => (await import('./products/rabbitmq/rabbitmq.ts')).rabbitmq,
  },
  { type: 'REDDIT', displayName: 'Reddit', load: async () => (await import('./products/reddit/reddit.ts')).reddit },
  { type: 'REDIS', displayName: 'Redis', load: async () => (await import('./products/redis/redis.ts')).redis },
  {
    type: 'REDIS_STREAMS',
    displayName: 'Redis Streams',
    load: async () => (await import('./products/redis-streams/redis-streams.ts')).redisStreams,
  },
  { type: 'S3', displayName: 'Amazon S3', load: async () => (await import('./products/s3/s3.ts')).s3 },
  {
    type: 'SALESFORCE',
    displayName: 'Salesforce',
    load: async () => (await import('./products/salesforce/salesforce.ts')).salesforce,
  },
  {
    type: 'SEGMENT',
    displayName: 'Segment',
    load: async () => (await import('./products/segment/segment.ts')).segment,
  },
  {
    type: 'SENDGRID',
    displayName: 'Sendgrid',
    load: async () => (await import('./products/sendgrid/sendgrid.ts')).sendgrid,
  },
  {
    type: 'SINGULAR',
    displayName: 'Singular',
    load: async () => (await import('./products/singular/singular.ts')).singular,
  },
  { type: 'SLACK', displayName: 'Slack', load: async () => (await import('./products/slack/slack.ts')).slack },
  {
    type: 'SNAPCHAT_CONVERSION',
    displayName: 'Snapchat Conversion',
    load: async () => (await import('./products/snapchat-conversion/snapchat-conversion.ts')).snapchatConversion,
  },
  { type: 'SPRIG', displayName: 'Sprig', load: async () => (await import('./products/sprig/sprig.ts')).sprig },
  { type: 'SQS', displayName: 'Amazon SQS', load: async () => (await import('./products/sqs/sqs.ts')).sqs },
  {
    type: 'STATSIG',
    displayName: 'Statsig',
    load: async () => (await import('./products/statsig/statsig.ts')).statsig,
  },
  {
    type: 'TIKTOK_ADS',
    displayName: 'TikTok Ads',
    load: async () => (await import('./products/tiktok-ads/tiktok-ads.ts')).tiktokAds,
  },
  {
    type: 'WEBHOOK',
    displayName: 'Webhook',
    load: async () => (await import('./products/webhook/webhook.ts')).webhook,
  },
  { type: 'ZAPIER', displayName: 'Zapier', load: async () => (await import('./products/zapier/zapier.ts')).zapier },
]

/**
 * Loads the built-in destination of a type, and no other. @param type in any case: `webhook` and `WEBHOOK` are the same.
 * @returns undefined when there is no such type.
 */
export async function loadDestination(type: string): Promise<DestinationDefinition | undefined> {
  const name = type.toUpperCase()
  return loadableDestinations.find((each) => each.type === name)?.load()
}

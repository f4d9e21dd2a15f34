import type { DestinationDefinition } from './kit/define/define-destination.ts'
import { adjust } from './products/adjust/adjust.ts'
import { airship } from './products/airship/airship.ts'
import { algolia } from './products/algolia/algolia.ts'
import { amplitude } from './products/amplitude/amplitude.ts'
import { appsflyer } from './products/appsflyer/appsflyer.ts'
import { attentiveTag } from './products/attentive-tag/attentive-tag.ts'
import { azureEventHub } from './products/azure-event-hub/azure-event-hub.ts'
import { branch } from './products/branch/branch.ts'
import { braze } from './products/braze/braze.ts'
import { clevertap } from './products/clevertap/clevertap.ts'
import { confluentCloud } from './products/confluent-cloud/confluent-cloud.ts'
import { consoleDestination } from './products/console/console.ts'
import { custify } from './products/custify/custify.ts'
import { customerio } from './products/customerio/customerio.ts'
import { emarsys } from './products/emarsys/emarsys.ts'
import { engage } from './products/engage/engage.ts'
import { eventbridge } from './products/eventbridge/eventbridge.ts'
import { facebookPixel } from './products/facebook-pixel/facebook-pixel.ts'
import { fbCustomAudience } from './products/fb-custom-audience/fb-custom-audience.ts'
import { file } from './products/file/file.ts'
import { firehose } from './products/firehose/firehose.ts'
import { ga4 } from './products/ga4/ga4.ts'
import { googleAdwordsEnhancedConversions } from './products/google-adwords-enhanced-conversions/google-adwords-enhanced-conversions.ts'
import { googleAdwordsOfflineConversions } from './products/google-adwords-offline-conversions/google-adwords-offline-conversions.ts'
import { googleAdwordsRemarketingLists } from './products/google-adwords-remarketing-lists/google-adwords-remarketing-lists.ts'
import { googleAnalytics } from './products/google-analytics/google-analytics.ts'
import { googlePubsub } from './products/google-pubsub/google-pubsub.ts'
import { heap } from './products/heap/heap.ts'
import { http } from './products/http/http.ts'
import { hubspot } from './products/hubspot/hubspot.ts'
import { intercom } from './products/intercom/intercom.ts'
import { iterable } from './products/iterable/iterable.ts'
import { kafka } from './products/kafka/kafka.ts'
import { kinesis } from './products/kinesis/kinesis.ts'
import { klaviyo } from './products/klaviyo/klaviyo.ts'
import { linkedinAds } from './products/linkedin-ads/linkedin-ads.ts'
import { mailchimp } from './products/mailchimp/mailchimp.ts'
import { mixpanel } from './products/mixpanel/mixpanel.ts'
import { moengage } from './products/moengage/moengage.ts'
import { mqtt } from './products/mqtt/mqtt.ts'
import { nats } from './products/nats/nats.ts'
import { oneSignal } from './products/one-signal/one-signal.ts'
import { opendsr } from './products/opendsr/opendsr.ts'
import { pinterestTag } from './products/pinterest-tag/pinterest-tag.ts'
import { posthog } from './products/posthog/posthog.ts'
import { rabbitmq } from './products/rabbitmq/rabbitmq.ts'
import { reddit } from './products/reddit/reddit.ts'
import { redis } from './products/redis/redis.ts'
import { redisStreams } from './products/redis-streams/redis-streams.ts'
import { s3 } from './products/s3/s3.ts'
import { salesforce } from './products/salesforce/salesforce.ts'
import { segment } from './products/segment/segment.ts'
import { sendgrid } from './products/sendgrid/sendgrid.ts'
import { singular } from './products/singular/singular.ts'
import { slack } from './products/slack/slack.ts'
import { snapchatConversion } from './products/snapchat-conversion/snapchat-conversion.ts'
import { sprig } from './products/sprig/sprig.ts'
import { sqs } from './products/sqs/sqs.ts'
import { statsig } from './products/statsig/statsig.ts'
import { tiktokAds } from './products/tiktok-ads/tiktok-ads.ts'
import { webhook } from './products/webhook/webhook.ts'
import { zapier } from './products/zapier/zapier.ts'

/** All destinations that come with Sluice. Add new ones here and in `load-destination.ts`. */
export const builtInDestinations: readonly DestinationDefinition[] = [
  adjust,
  airship,
  algolia,
  amplitude,
  appsflyer,
  attentiveTag,
  azureEventHub,
  branch,
  braze,
  clevertap,
  confluentCloud,
  consoleDestination,
  custify,
  customerio,
  emarsys,
  engage,
  eventbridge,
  facebookPixel,
  fbCustomAudience,
  file,
  firehose,
  ga4,
  googleAdwordsEnhancedConversions,
  googleAdwordsOfflineConversions,
  googleAdwordsRemarketingLists,
  googleAnalytics,
  googlePubsub,
  heap,
  http,
  hubspot,
  intercom,
  iterable,
  kafka,
  kinesis,
  klaviyo,
  linkedinAds,
  mailchimp,
  mixpanel,
  moengage,
  mqtt,
  nats,
  oneSignal,
  opendsr,
  pinterestTag,
  posthog,
  rabbitmq,
  reddit,
  redis,
  redisStreams,
  s3,
  salesforce,
  segment,
  sendgrid,
  singular,
  slack,
  snapchatConversion,
  sprig,
  sqs,
  statsig,
  tiktokAds,
  webhook,
  zapier,
]

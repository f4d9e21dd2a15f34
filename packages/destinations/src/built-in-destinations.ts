import type { DestinationDefinition } from './kit/define/define-destination.ts'
import { amplitude } from './products/amplitude/amplitude.ts'
import { appsflyer } from './products/appsflyer/appsflyer.ts'
import { braze } from './products/braze/braze.ts'
import { clevertap } from './products/clevertap/clevertap.ts'
import { consoleDestination } from './products/console/console.ts'
import { custify } from './products/custify/custify.ts'
import { customerio } from './products/customerio/customerio.ts'
import { emarsys } from './products/emarsys/emarsys.ts'
import { engage } from './products/engage/engage.ts'
import { facebookPixel } from './products/facebook-pixel/facebook-pixel.ts'
import { fbCustomAudience } from './products/fb-custom-audience/fb-custom-audience.ts'
import { file } from './products/file/file.ts'
import { ga4 } from './products/ga4/ga4.ts'
import { googleAdwordsEnhancedConversions } from './products/google-adwords-enhanced-conversions/google-adwords-enhanced-conversions.ts'
import { googleAdwordsRemarketingLists } from './products/google-adwords-remarketing-lists/google-adwords-remarketing-lists.ts'
import { googleAnalytics } from './products/google-analytics/google-analytics.ts'
import { heap } from './products/heap/heap.ts'
import { http } from './products/http/http.ts'
import { intercom } from './products/intercom/intercom.ts'
import { iterable } from './products/iterable/iterable.ts'
import { linkedinAds } from './products/linkedin-ads/linkedin-ads.ts'
import { mixpanel } from './products/mixpanel/mixpanel.ts'
import { pinterestTag } from './products/pinterest-tag/pinterest-tag.ts'
import { posthog } from './products/posthog/posthog.ts'
import { reddit } from './products/reddit/reddit.ts'
import { redis } from './products/redis/redis.ts'
import { s3 } from './products/s3/s3.ts'
import { segment } from './products/segment/segment.ts'
import { sendgrid } from './products/sendgrid/sendgrid.ts'
import { slack } from './products/slack/slack.ts'
import { snapchatConversion } from './products/snapchat-conversion/snapchat-conversion.ts'
import { sprig } from './products/sprig/sprig.ts'
import { statsig } from './products/statsig/statsig.ts'
import { tiktokAds } from './products/tiktok-ads/tiktok-ads.ts'
import { webhook } from './products/webhook/webhook.ts'
import { zapier } from './products/zapier/zapier.ts'

/** All destinations that come with Sluice. Add new ones only here. */
export const builtInDestinations: readonly DestinationDefinition[] = [
  amplitude,
  appsflyer,
  braze,
  clevertap,
  consoleDestination,
  custify,
  customerio,
  emarsys,
  engage,
  facebookPixel,
  fbCustomAudience,
  file,
  ga4,
  googleAdwordsEnhancedConversions,
  googleAdwordsRemarketingLists,
  googleAnalytics,
  heap,
  http,
  intercom,
  iterable,
  linkedinAds,
  mixpanel,
  pinterestTag,
  posthog,
  reddit,
  redis,
  s3,
  segment,
  sendgrid,
  slack,
  snapchatConversion,
  sprig,
  statsig,
  tiktokAds,
  webhook,
  zapier,
]

import type { DestinationDefinition } from './kit/define/define-destination.ts'
import { adjust } from './products/adjust/adjust.ts'
import { airship } from './products/airship/airship.ts'
import { algolia } from './products/algolia/algolia.ts'
import { amplitude } from './products/amplitude/amplitude.ts'
import { appsflyer } from './products/appsflyer/appsflyer.ts'
import { attentiveTag } from './products/attentive-tag/attentive-tag.ts'
import { branch } from './products/branch/branch.ts'
import { braze } from './products/braze/braze.ts'
import { clevertap } from './products/clevertap/clevertap.ts'
import { consoleDestination } from './products/console/console.ts'
import { custify } from './products/custify/custify.ts'
import { customerio } from './products/customerio/customerio.ts'
import { emarsys } from './products/emarsys/emarsys.ts'
import { engage } from './products/engage/engage.ts'
import { file } from './products/file/file.ts'
import { ga4 } from './products/ga4/ga4.ts'
import { googleAnalytics } from './products/google-analytics/google-analytics.ts'
import { heap } from './products/heap/heap.ts'
import { http } from './products/http/http.ts'
import { intercom } from './products/intercom/intercom.ts'
import { iterable } from './products/iterable/iterable.ts'
import { mixpanel } from './products/mixpanel/mixpanel.ts'
import { moengage } from './products/moengage/moengage.ts'
import { oneSignal } from './products/one-signal/one-signal.ts'
import { posthog } from './products/posthog/posthog.ts'
import { redis } from './products/redis/redis.ts'
import { s3 } from './products/s3/s3.ts'
import { segment } from './products/segment/segment.ts'
import { sendgrid } from './products/sendgrid/sendgrid.ts'
import { singular } from './products/singular/singular.ts'
import { slack } from './products/slack/slack.ts'
import { sprig } from './products/sprig/sprig.ts'
import { statsig } from './products/statsig/statsig.ts'
import { webhook } from './products/webhook/webhook.ts'
import { zapier } from './products/zapier/zapier.ts'

/** All destinations that come with Sluice. Add new ones only here. */
export const builtInDestinations: readonly DestinationDefinition[] = [
  adjust,
  airship,
  algolia,
  amplitude,
  appsflyer,
  attentiveTag,
  branch,
  braze,
  clevertap,
  consoleDestination,
  custify,
  customerio,
  emarsys,
  engage,
  file,
  ga4,
  googleAnalytics,
  heap,
  http,
  intercom,
  iterable,
  mixpanel,
  moengage,
  oneSignal,
  posthog,
  redis,
  s3,
  segment,
  sendgrid,
  singular,
  slack,
  sprig,
  statsig,
  webhook,
  zapier,
]

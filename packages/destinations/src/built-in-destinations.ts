import { amplitude } from './amplitude/amplitude.ts'
import { appsflyer } from './appsflyer/appsflyer.ts'
import { braze } from './braze/braze.ts'
import { clevertap } from './clevertap/clevertap.ts'
import { consoleDestination } from './console/console.ts'
import { custify } from './custify/custify.ts'
import { customerio } from './customerio/customerio.ts'
import type { DestinationDefinition } from './define-destination.ts'
import { emarsys } from './emarsys/emarsys.ts'
import { engage } from './engage/engage.ts'
import { file } from './file/file.ts'
import { ga4 } from './ga4/ga4.ts'
import { googleAnalytics } from './google-analytics/google-analytics.ts'
import { heap } from './heap/heap.ts'
import { http } from './http/http.ts'
import { intercom } from './intercom/intercom.ts'
import { iterable } from './iterable/iterable.ts'
import { mixpanel } from './mixpanel/mixpanel.ts'
import { posthog } from './posthog/posthog.ts'
import { redis } from './redis/redis.ts'
import { s3 } from './s3/s3.ts'
import { segment } from './segment/segment.ts'
import { sendgrid } from './sendgrid/sendgrid.ts'
import { slack } from './slack/slack.ts'
import { sprig } from './sprig/sprig.ts'
import { statsig } from './statsig/statsig.ts'
import { webhook } from './webhook/webhook.ts'
import { zapier } from './zapier/zapier.ts'

/** Every destination that comes with Sluice. A new one is added here and nowhere else. */
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
  file,
  ga4,
  googleAnalytics,
  heap,
  http,
  intercom,
  iterable,
  mixpanel,
  posthog,
  redis,
  s3,
  segment,
  sendgrid,
  slack,
  sprig,
  statsig,
  webhook,
  zapier,
]

import { amplitude } from './amplitude/amplitude.ts'
import { consoleDestination } from './console/console.ts'
import { customerio } from './customerio/customerio.ts'
import type { DestinationDefinition } from './define-destination.ts'
import { file } from './file/file.ts'
import { ga4 } from './ga4/ga4.ts'
import { heap } from './heap/heap.ts'
import { http } from './http/http.ts'
import { mixpanel } from './mixpanel/mixpanel.ts'
import { posthog } from './posthog/posthog.ts'
import { redis } from './redis/redis.ts'
import { s3 } from './s3/s3.ts'
import { segment } from './segment/segment.ts'
import { slack } from './slack/slack.ts'
import { statsig } from './statsig/statsig.ts'
import { webhook } from './webhook/webhook.ts'
import { zapier } from './zapier/zapier.ts'

/** Every destination that comes with Sluice. A new one is added here and nowhere else. */
export const builtInDestinations: readonly DestinationDefinition[] = [
  amplitude,
  consoleDestination,
  customerio,
  file,
  ga4,
  heap,
  http,
  mixpanel,
  posthog,
  redis,
  s3,
  segment,
  slack,
  statsig,
  webhook,
  zapier,
]

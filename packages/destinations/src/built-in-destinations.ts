import { amplitude } from './amplitude/amplitude.ts'
import { customerio } from './customerio/customerio.ts'
import type { DestinationDefinition } from './define-destination.ts'
import { ga4 } from './ga4/ga4.ts'
import { heap } from './heap/heap.ts'
import { http } from './http/http.ts'
import { mixpanel } from './mixpanel/mixpanel.ts'
import { posthog } from './posthog/posthog.ts'
import { segment } from './segment/segment.ts'
import { slack } from './slack/slack.ts'
import { statsig } from './statsig/statsig.ts'
import { webhook } from './webhook/webhook.ts'
import { zapier } from './zapier/zapier.ts'

/** Every destination that comes with Sluice. A new one is added here and nowhere else. */
export const builtInDestinations: readonly DestinationDefinition[] = [
  amplitude,
  customerio,
  ga4,
  heap,
  http,
  mixpanel,
  posthog,
  segment,
  slack,
  statsig,
  webhook,
  zapier,
]

import type { DestinationDefinition } from './define-destination.ts'
import { webhook } from './webhook/webhook.ts'

/** Every destination that comes with Sluice. A new one is added here and nowhere else. */
export const builtInDestinations: readonly DestinationDefinition[] = [webhook]

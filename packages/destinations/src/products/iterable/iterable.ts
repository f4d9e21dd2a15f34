import { defineDestination } from '../../kit/index.ts'
import { bytesMax, itemsMax, iterableBatch } from './iterable-batch.ts'
import { bodyOf } from './iterable-body.ts'
import { iterableDeletion } from './iterable-deletion.ts'
import { iterableExamples } from './iterable-examples.ts'
import { iterableReply } from './iterable-reply.ts'
import { aliasRequests, identifyRequests, trackRequests, viewRequests } from './iterable-requests.ts'
import { iterableSettings } from './iterable-settings.ts'

/**
 * Sends users, events, purchases, carts and items of catalogs to Iterable.
 *
 * Source: RudderStack docs, Iterable cloud mode; Iterable docs, API overview; recorded behaviour of RudderStack's
 * iterable destination.
 */
export const iterable = defineDestination({
  type: 'ITERABLE',
  displayName: 'Iterable',
  supports: ['identify', 'page', 'screen', 'track', 'alias'],
  settings: iterableSettings,
  secrets: ['apiKey', 'registerDeviceOrBrowserApiKey'],
  mappings: bodyOf,
  requests(event, settings) {
    switch (event.type) {
      case 'identify':
        return identifyRequests(event, settings)
      case 'page':
      case 'screen':
        return viewRequests({ ...event, type: event.type }, settings)
      case 'alias':
        return aliasRequests(event, settings)
      default:
        return trackRequests(event, settings)
    }
  },
  limits: [
    `A batch has at most ${itemsMax} users, events or items of a catalog, and ${bytesMax} bytes.`,
    'Purchases, carts, changes of addresses and registrations of devices are sent alone.',
    'Purchases need the property total, and every product a product_id.',
  ],
  batch: iterableBatch,
  respond: iterableReply,
  deletion: iterableDeletion,
  examples: iterableExamples,
})

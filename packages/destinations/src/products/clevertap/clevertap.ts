import { isJsonObject } from '@sluice/core'
import { defineDestination, isMappingError, json, pack, sameTarget } from '../../kit/index.ts'
import { clevertapApi } from './clevertap-api.ts'
import { clevertapDeletion } from './clevertap-deletion.ts'
import { clevertapExamples } from './clevertap-examples.ts'
import { clevertapItems, profileFields } from './clevertap-items.ts'
import { clevertapSettings } from './clevertap-settings.ts'
import { respondToClevertap } from './respond-to-clevertap.ts'

const itemsMax = 1000 // source: CleverTap docs, Upload API (records per request)

/**
 * Sends users, push tokens and events to CleverTap, and deletes users there.
 *
 * Source: RudderStack docs, CleverTap destination; CleverTap docs, Upload API; recorded behaviour of RudderStack's
 * clevertap destination.
 */
export const clevertap = defineDestination({
  type: 'CLEVERTAP',
  displayName: 'CleverTap',
  otherNames: [],
  supports: ['identify', 'page', 'screen', 'track', 'alias'],
  settings: clevertapSettings,
  secrets: ['passcode', 'accountToken'],
  mappings: { profileFields },
  requests(event, settings) {
    const api = clevertapApi(settings, 'send events')
    if (isMappingError(api)) return api
    const items = clevertapItems(event, settings)
    return isMappingError(items) ? items : items.map((item) => api('upload', { d: [item] }))
  },
  batch: pack({
    key: sameTarget,
    itemsMax,
    merge(items) {
      const [{ request }] = items as [(typeof items)[number]]
      const d = items.flatMap((item) => {
        const { d: sent } = item.request.body.JSON
        return Array.isArray(sent) ? sent.filter(isJsonObject) : []
      })
      const { userId: _, ...merged } = json({ ...request, body: { d } })
      return merged
    },
  }),
  respond: respondToClevertap,
  limits: [
    `A request has at most ${itemsMax} items.`,
    'Nested objects and lists become JSON texts, except for the products of Order Completed, which becomes Charged.',
    'The time of an item is the one that it arrives at, unless a property or trait ts has another.',
    'Push tokens are uploaded only with enableObjectIdMapping.',
  ],
  deletion: clevertapDeletion,
  examples: clevertapExamples,
})

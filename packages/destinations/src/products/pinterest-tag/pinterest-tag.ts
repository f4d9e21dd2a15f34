import { isJsonObject, type JsonObject } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import {
  defineDestination,
  instrumentationError,
  isMappingError,
  json,
  type MappingError,
  type PackItem,
  pack,
} from '../../kit/index.ts'
import { conversionEvent } from './conversion-event.ts'
import { eventNamesOf } from './event-names.ts'
import { pinterestTagExamples } from './pinterest-tag-examples.ts'
import { pinterestTagSettings } from './pinterest-tag-settings.ts'

const batchMax = 1000 // events; source: Pinterest docs, API for conversions, batches

const actionSources: ReadonlySet<unknown> = new Set(['app_android', 'app_ios', 'web', 'offline'])

/**
 * Sends pages, screens and track events to Pinterest's API for conversions.
 *
 * Source: RudderStack docs, Pinterest Tag, cloud mode; Pinterest docs, API for conversions; recorded behaviour of
 * RudderStack's pinterest_tag destination.
 */
export const pinterestTag = defineDestination({
  type: 'PINTEREST_TAG',
  displayName: 'Pinterest Tag',
  supports: ['page', 'screen', 'track'],
  settings: pinterestTagSettings,
  secrets: ['adAccountId', 'conversionToken'],
  checkSettings: ({ apiVersion, ...settings }) => {
    const needed = apiVersion === 'newApi' ? ['adAccountId', 'conversionToken'] : ['advertiserId']
    return needed.filter((name) => !settings[name]).map((name) => ({ path: name, value: undefined, allowed: 'a text' }))
  },
  mappings: { conversionEvent },
  requests(event, settings) {
    const names = eventNamesOf(event, settings)
    if (isMappingError(names)) return names
    const mapped = conversionEvent(event, settings)
    if (isMappingError(mapped)) return mapped
    const problem = problemOf(mapped)
    if (problem) return problem
    const isNew = settings.apiVersion === 'newApi'
    return names.map((name) =>
      json({
        method: 'POST',
        endpoint: isNew
          ? `https://api.pinterest.com/v5/ad_accounts/${settings.adAccountId}/events`
          : 'https://ct.pinterest.com/events/v3',
        headers: defined({
          'Content-Type': 'application/json',
          Authorization: isNew ? `Bearer ${settings.conversionToken}` : undefined,
        }),
        params: settings.sendAsTestEvent ? { test: true } : {},
        body: { ...mapped, event_name: name },
      }),
    )
  },
  limits: [
    'Events need an e-mail address, an advertising id, or both an IP address and a user agent.',
    'The channel of an event must be web, offline, app_ios or app_android, unless its property action_source is.',
    'Personal data is hashed as UTF-8. RudderStack hashes letters beyond ASCII as Latin-1, which matches no user.',
    `A batch has at most ${batchMax} events.`,
  ],
  batch: pack({
    key: ({ request: { endpoint, headers, params } }) => JSON.stringify([endpoint, headers, params]),
    itemsMax: batchMax,
    merge(items) {
      const [{ request }] = items as readonly [PackItem, ...PackItem[]]
      const { userId: _, ...shared } = request
      return { ...shared, body: { ...request.body, JSON: { data: items.map((item) => item.request.body.JSON) } } }
    },
  }),
  examples: pinterestTagExamples,
})

function problemOf({ action_source: source, user_data: user }: JsonObject): MappingError | undefined {
  if (!actionSources.has(source)) {
    return instrumentationError('the action source must be app_android, app_ios, web or offline')
  }
  const { em, hashed_maids, client_ip_address, client_user_agent } = isJsonObject(user) ? user : {}
  return em || hashed_maids || (client_ip_address && client_user_agent)
    ? undefined
    : instrumentationError('the user needs an e-mail address, an advertising id, or an IP address and a user agent')
}

import type { JsonObject } from '@sluice/core'
import { convert, type DeliveryRequest, json } from '../../kit/index.ts'
import { type IntercomSettings, intercomRegions } from './intercom-settings.ts'

const versions = { v1: '1.4', v2: '2.10' } as const

/** Returns a request to Intercom. @param event belongs to the request, which only version v1 notes. */
export function intercomRequest(
  path: string,
  body: JsonObject,
  settings: IntercomSettings,
  { event = {}, method = 'POST' }: { readonly event?: JsonObject; readonly method?: string } = {},
): DeliveryRequest {
  return json({
    method,
    endpoint: `${intercomRegions.hostOf(settings.apiServer)}/${path}`,
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${settings.apiKey}`,
      Accept: 'application/json',
      'Intercom-Version': versions[settings.apiVersion],
      'User-Agent': 'RudderStack',
    },
    body,
    userId: settings.apiVersion === 'v1' ? convert.text(event['anonymousId'] ?? '') : '',
  })
}

import type { JsonObject } from '@sluice/core'
import { convert, type DeliveryRequest, json } from '../../kit/index.ts'
import type { IntercomSettings } from './intercom-settings.ts'

const hosts = {
  standard: 'https://api.intercom.io',
  eu: 'https://api.eu.intercom.io',
  au: 'https://api.au.intercom.io',
} as const

const versions = { v1: '1.4', v2: '2.10' } as const

/** Returns the address of the API in a region. Source: Intercom docs, Using the Intercom API. */
export function intercomHost({ apiServer }: Pick<IntercomSettings, 'apiServer'>): string {
  return hosts[apiServer]
}

/** Returns a request to Intercom. @param event belongs to the request, which only version v1 notes. */
export function intercomRequest(
  path: string,
  body: JsonObject,
  settings: IntercomSettings,
  { event = {}, method = 'POST' }: { readonly event?: JsonObject; readonly method?: string } = {},
): DeliveryRequest {
  return json({
    method,
    endpoint: `${intercomHost(settings)}/${path}`,
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

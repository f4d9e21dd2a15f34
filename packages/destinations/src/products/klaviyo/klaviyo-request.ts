import type { JsonObject } from '@sluice/core'
import { type DeliveryRequest, json } from '../../kit/index.ts'
import type { KlaviyoSettings } from './klaviyo-settings.ts'

const revisions = { v1: '2023-02-22', v2: '2024-10-15', v3: '2026-04-15' } as const

/** A call of Klaviyo's API. */
export interface KlaviyoCall {
  readonly path: string
  readonly data: JsonObject
  readonly method?: string
  /** Id of the resource that is changed. */
  readonly id?: string
}

type KlaviyoAccess = Pick<KlaviyoSettings, 'privateApiKey' | 'apiVersion'>

/** Returns a request to Klaviyo with the revision of the settings. Source: Klaviyo docs, API overview. */
export function klaviyoRequest(
  { path, data, method = 'POST', id }: KlaviyoCall,
  settings: KlaviyoAccess,
): DeliveryRequest {
  return json({
    method,
    endpoint: `https://a.klaviyo.com${path}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`,
    headers: klaviyoHeaders(settings),
    body: { data },
    endpointPath: path,
  })
}

/** Returns the headers of a request: the key, and the revision of the settings. */
export function klaviyoHeaders({ privateApiKey, apiVersion }: KlaviyoAccess): Readonly<Record<string, string>> {
  return {
    Authorization: `Klaviyo-API-Key ${privateApiKey}`,
    Accept: 'application/json',
    'Content-Type': 'application/json',
    revision: revisions[apiVersion],
  }
}

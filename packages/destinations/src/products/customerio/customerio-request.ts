import type { JsonObject } from '@sluice/core'
import { convert, type DeliveryRequest, firstAt, generic, json, query } from '../../kit/index.ts'
import type { CustomerioSettings } from './customerio-settings.ts'
import { isIdentifier } from './person.ts'

const hosts = { US: 'https://track.customer.io', EU: 'https://track-eu.customer.io' } as const

const anyIdOf = firstAt(generic.userId, isIdentifier)

/** Path of a request below `/api`, and the kind of the path. */
export interface Address {
  readonly method: string
  readonly path: string
  readonly kind: string
}

/** Returns a call of the Track API. Source: Customer.io docs, Track API. */
export function customerioRequest(
  event: JsonObject,
  settings: CustomerioSettings,
  { method, path, kind }: Address,
  body?: JsonObject,
): DeliveryRequest {
  const parts = {
    method,
    endpoint: `${hosts[settings.datacenter]}/api/${path}`,
    headers: { Authorization: convert.basicAuth(settings.siteID, settings.apiKey) },
    userId: convert.text(anyIdOf(event) ?? ''),
    endpointPath: kind,
    statusCode: 200,
  }
  return body ? json({ ...parts, body }) : query(parts)
}

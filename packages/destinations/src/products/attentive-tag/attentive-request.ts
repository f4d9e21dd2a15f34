import type { JsonObject } from '@sluice/core'
import { type DeliveryRequest, json } from '../../kit/index.ts'

/** Returns a request to a path of Attentive's API. */
export function attentiveRequest(
  path: string,
  { apiKey }: { readonly apiKey: string },
  body: JsonObject,
): DeliveryRequest {
  return json({
    method: 'POST',
    endpoint: `https://api.attentivemobile.com/v1${path}`,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body,
    endpointPath: path,
  })
}

import type { JsonObject } from '@sluice/core'
import { convert, type DeliveryRequest, json } from '../../kit/index.ts'
import { brazeHost } from './braze-host.ts'
import { externalIdOf } from './braze-person.ts'
import type { BrazeSettings } from './braze-settings.ts'

/** Returns a request to the REST API of Braze. @param event whose user the request belongs to, if to any. */
export function brazeRequest(
  path: string,
  body: JsonObject,
  { restApiKey, dataCenter }: Pick<BrazeSettings, 'restApiKey' | 'dataCenter'>,
  event: JsonObject = {},
): DeliveryRequest {
  return json({
    method: 'POST',
    endpoint: `${brazeHost(dataCenter ?? '')}/${path}`,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      Authorization: `Bearer ${restApiKey}`,
    },
    body,
    userId: externalIdOf(event) ?? convert.text(event['anonymousId'] ?? ''),
    endpointPath: path,
  })
}

import type { JsonObject } from '@sluice/core'
import { configurationError, type DeliveryRequest, json, type MappingError } from '../../kit/index.ts'
import type { ClevertapSettings } from './clevertap-settings.ts'

/** Returns a function that creates requests to CleverTap's API, or an error if the settings have no credentials. */
export function clevertapApi(
  { accountId, passcode, region }: Pick<ClevertapSettings, 'accountId' | 'passcode' | 'region'>,
  purpose: string,
): ((path: string, body: JsonObject) => DeliveryRequest) | MappingError {
  if (!accountId || !passcode) return configurationError(`accountId and passcode are needed to ${purpose}`)
  const host = region && region !== 'none' ? `${region}.api.clevertap.com` : 'api.clevertap.com'
  const headers = {
    'X-CleverTap-Account-Id': accountId,
    'X-CleverTap-Passcode': passcode,
    'Content-Type': 'application/json',
  }
  return (path, body) => json({ method: 'POST', endpoint: `https://${host}/1/${path}`, headers, body })
}

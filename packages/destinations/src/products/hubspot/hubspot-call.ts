import type { JsonObject } from '@sluice/core'
import { configurationError, type MappingError, type RequestParts } from '../../kit/index.ts'
import type { HubspotSettings } from './hubspot-settings.ts'

/** Returns why the settings give no access to HubSpot; undefined if they do. */
export function missingAccess(settings: HubspotSettings): MappingError | undefined {
  const name = usesToken(settings) ? 'accessToken' : 'apiKey'
  return settings[name] ? undefined : configurationError(`${name} is needed with this authorizationType`)
}

/**
 * Returns address and credentials of a request to HubSpot's API: a token in a header, or a key in the query. Source:
 * HubSpot docs, Private apps.
 */
export function hubspotCall(path: string, settings: HubspotSettings, method = 'POST'): RequestParts {
  return {
    method,
    endpoint: `https://api.hubapi.com${path}`,
    headers: headersOf(settings),
    params: usesToken(settings) ? {} : { hapikey: settings.apiKey },
    endpointPath: path,
  }
}

/** Returns the headers of a request: the content type, and the token if there is one. */
export function headersOf(settings: HubspotSettings): Readonly<Record<string, string>> {
  const type = { 'Content-Type': 'application/json' }
  return usesToken(settings) ? { ...type, Authorization: `Bearer ${settings.accessToken}` } : type
}

function usesToken({ authorizationType }: HubspotSettings): boolean {
  return authorizationType === 'newPrivateAppApi'
}

/** A change of one object, as an element of a batch request. */
export interface HubspotInput extends JsonObject {
  readonly properties: JsonObject
  readonly id?: string
  readonly idProperty?: string
}

import { type JsonObject, type JsonValue, parseUrl } from '@sluice/core'
import type { DestinationDefinition, SettingsNode } from '../define/define-destination.ts'
import { type Ask, isAsk } from '../map/ask.ts'
import { configurationError, isMappingError, type MappingError } from '../map/mapping-error.ts'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'

type MappedRequests = readonly DeliveryRequest[] | MappingError | Ask

/** The settings of one call, and the stored settings of the operator. */
export interface ChosenSettings {
  readonly chosen: JsonObject
  readonly stored: JsonObject
}

/**
 * Maps an event with the settings of one call, and keeps stored secrets out of requests to origins that the stored
 * settings do not lead to. Such requests are created without the secrets: headers that would contain one are left out
 * and named in `withheld`.
 *
 * Allowed origins are those to which the same event is sent with the stored strings. From the settings of the call,
 * only choices from a list (a region, a switch) are used for this, because the definition itself offers all of them.
 *
 * @param hasAnswers whether the mapping uses answers of the product, which may be secret and were obtained with stored
 * secrets. Requests to other origins are then refused.
 */
export function mapWithGuardedSecrets(
  definition: Pick<DestinationDefinition, 'settings' | 'secrets'>,
  { chosen, stored }: ChosenSettings,
  map: (settings: JsonObject) => MappedRequests,
  hasAnswers = false,
): MappedRequests {
  const mapped = map(chosen)
  if (isMappingError(mapped)) return mapped
  const guarded = map(withStoredTexts(definition.settings.properties, { chosen, stored }))
  const home = new Set(
    requestsOf(guarded)
      .filter(({ withheld }) => withheld === undefined)
      .map(targetOf),
  )
  const whole = requestsOf(mapped)
  if (whole.every((request) => home.has(targetOf(request)))) return mapped
  if (hasAnswers)
    return configurationError('answers of the product are only used at the address in the stored settings')
  const bare = map(withoutStoredSecrets(definition.secrets, { chosen, stored }))
  if (isMappingError(bare))
    return { ...bare, message: `${bare.message} (stored secrets are only sent to the address in the stored settings)` }
  const hasSameLength = whole.length === requestsOf(bare).length
  const requests = requestsOf(bare).map((request, index) => {
    const other = hasSameLength ? whole[index] : undefined
    return other && home.has(targetOf(other)) ? other : withoutHeadersOfSecrets(request, other)
  })
  return isAsk(bare) ? { ...bare, request: requests[0] ?? bare.request } : requests
}

/** Returns the requests that a mapping sends: those of its result, or that of its question. */
function requestsOf(mapped: MappedRequests): readonly DeliveryRequest[] {
  if (isMappingError(mapped)) return []
  return isAsk(mapped) ? [mapped.request] : mapped
}

/** Returns where a request goes. Options of a sink name further addresses, and whether a connection is secure. */
function targetOf(request: DeliveryRequest): string {
  const origin = originOf(request)
  return request.type === 'SINK' ? JSON.stringify([origin, request.params]) : origin
}

/** Returns scheme, host and port; for an invalid address a text that equals no origin. */
export function originOf({ endpoint }: Pick<DeliveryRequest, 'endpoint'>): string {
  const url = parseUrl(endpoint)
  return url === undefined ? `invalid address: ${endpoint}` : `${url.protocol}//${url.host}`
}

function withStoredTexts(
  properties: Readonly<Record<string, SettingsNode>>,
  { chosen, stored }: ChosenSettings,
): JsonObject {
  const picked = Object.entries(chosen).filter(([key]) => isPicked(properties[key]))
  return { ...stored, ...Object.fromEntries(picked) }
}

function isPicked(node: SettingsNode | undefined): boolean {
  if (node === undefined) return false
  return (
    'enum' in node || ('type' in node && (node.type === 'boolean' || node.type === 'integer' || node.type === 'number'))
  )
}

/** Removes stored secrets from settings. Secrets that differ from the stored ones belong to the caller and are kept. */
export function withoutStoredSecrets(secrets: readonly string[], { chosen, stored }: ChosenSettings): JsonObject {
  let bare: JsonValue = chosen
  for (const path of secrets) {
    const keys = path.split('.')
    const known = new Set<string>()
    replaceAt(stored, keys, (value) => {
      known.add(JSON.stringify(value))
      return value
    })
    bare = replaceAt(bare, keys, (value) => (known.has(JSON.stringify(value)) ? '' : value))
  }
  return bare as JsonObject
}

/** Returns a copy with replaced values at a path; a list counts as its elements. */
function replaceAt(
  value: JsonValue,
  [key, ...rest]: readonly string[],
  replace: (value: JsonValue) => JsonValue,
): JsonValue {
  if (key === undefined) return replace(value)
  if (Array.isArray(value)) return value.map((element: JsonValue) => replaceAt(element, [key, ...rest], replace))
  if (typeof value !== 'object' || value === null) return replace(value)
  const member = (value as JsonObject)[key]
  return member === undefined ? value : { ...value, [key]: replaceAt(member, rest, replace) }
}

/**
 * Removes headers that contain secrets, which are those that differ without secrets. @param whole the same request with
 * secrets, if known.
 */
function withoutHeadersOfSecrets(request: DeliveryRequest, whole: DeliveryRequest | undefined): DeliveryRequest {
  const names = Object.keys({ ...whole?.headers, ...request.headers })
  const withheld = whole ? names.filter((name) => whole.headers[name] !== request.headers[name]) : []
  const kept = Object.entries(request.headers).filter(([name]) => !withheld.includes(name))
  return { ...request, headers: Object.fromEntries(kept), withheld }
}

import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { DestinationReply } from '../define/reply/reply.ts'
import { configurationError, type MappingError } from '../map/mapping-error.ts'
import { objectOrEmpty } from '../map/members/object-or-empty.ts'
import { type DeliveryRequest, json } from '../map/request/delivery-request.ts'

const api = 'https://googleads.googleapis.com/v23'

type NextCall = DeliveryRequest | MappingError | undefined

/**
 * Returns the next call that delivers a request to Google Ads: uploads need one, jobs of user data are created, filled
 * and run, and adjustments need the id of the conversion action. `params` of these requests are for batching and are
 * never sent, since Google refuses unknown ones.
 *
 * Source: Google Ads docs, offline user data jobs; enhanced conversions for web.
 */
export function nextGoogleAdsCall(request: DeliveryRequest, replies: readonly DestinationReply[]): NextCall {
  if (request.endpoint.endsWith('/offlineUserDataJobs')) return nextJobCall(request, replies)
  if (request.endpoint === '') return nextAdjustmentCall(request, replies)
  return replies.length === 0 ? { ...request, params: {} } : undefined
}

function nextJobCall(request: DeliveryRequest, [created, filled, run]: readonly DestinationReply[]): NextCall {
  const { endpoint, body } = request
  const { createJobPayload, addConversionPayload, executeJobPayload } = body.JSON
  if (created === undefined) return call(request, `${endpoint}:create`, jobOf(request, createJobPayload))
  const job = isJsonObject(created.body) ? created.body['resourceName'] : undefined
  const id = typeof job === 'string' ? job.slice(job.lastIndexOf('/') + 1) : ''
  if (!/^[\w-]+$/.test(id)) return configurationError('Google Ads returned no id for the job')
  if (filled === undefined) {
    const payload = isJsonObject(addConversionPayload) ? addConversionPayload : body.JSON
    const operations = [payload['operations'] ?? []].flat()
    return call(request, `${endpoint}/${id}:addOperations`, { ...payload, operations })
  }
  const options = objectOrEmpty(executeJobPayload)
  return run === undefined ? call(request, `${endpoint}/${id}:run`, options) : undefined
}

/** Jobs for lists of users are described by the parameters of the request. */
function jobOf({ params }: DeliveryRequest, payload: JsonValue | undefined): JsonObject {
  if (isJsonObject(payload)) return payload
  const { customerId, listId, consent } = params
  const userList = `customers/${String(customerId)}/userLists/${String(listId)}`
  return { job: { type: 'CUSTOMER_MATCH_USER_LIST', customerMatchUserListMetadata: { userList, consent } } }
}

function nextAdjustmentCall(request: DeliveryRequest, [found, uploaded]: readonly DestinationReply[]): NextCall {
  const { event, customerId } = request.params
  const customer = `${api}/customers/${String(customerId)}`
  if (found === undefined) {
    const name = String(event).replace(/[\\']/g, '\\$&')
    const query = `SELECT conversion_action.id FROM conversion_action WHERE conversion_action.name = '${name}'`
    return call(request, `${customer}/googleAds:searchStream`, { query })
  }
  if (uploaded !== undefined) return undefined
  const id = conversionActionId(found.body)
  if (id === undefined) return configurationError(`Google Ads has no conversion action named ${String(event)}`)
  const { conversionAdjustments: adjustments } = request.body.JSON
  const conversionAction = `customers/${String(customerId)}/conversionActions/${id}`
  return call(request, `${customer}:uploadConversionAdjustments`, {
    ...request.body.JSON,
    conversionAdjustments: (Array.isArray(adjustments) ? adjustments : [])
      .filter(isJsonObject)
      .map((adjustment) => ({ ...adjustment, conversionAction })),
  })
}

/** The reply is a list of parts, each with a list of results. */
function conversionActionId(body: JsonValue): string | undefined {
  const [part] = Array.isArray(body) ? body : [body]
  const results: unknown = isJsonObject(part) ? part['results'] : undefined
  const [result] = Array.isArray(results) ? results : []
  const action: unknown = isJsonObject(result) ? result['conversionAction'] : undefined
  const id: unknown = isJsonObject(action) ? action['id'] : undefined
  return typeof id === 'number' || (typeof id === 'string' && /^\d+$/.test(id)) ? String(id) : undefined
}

function call({ headers }: DeliveryRequest, endpoint: string, body: JsonObject): DeliveryRequest {
  return json({ method: 'POST', endpoint, headers, body })
}

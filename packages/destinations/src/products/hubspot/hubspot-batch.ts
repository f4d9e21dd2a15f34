import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  type Batch,
  type BatchPart,
  type BatchRule,
  batchPerKind,
  type DeliveryRequest,
  jointArray,
  pack,
} from '../../kit/index.ts'
import { oldContactsPath } from './object-change.ts'

export const objectsMax = 100 // objects per batch; source: HubSpot docs, CRM API, limits
export const oldContactsMax = 1000 // contacts per batch of the old API; source: HubSpot docs, Contacts v1

const packed = pack({
  isJoinable: (request) => request.endpointPath === oldContactsPath || inputsIn(request).length > 0,
  key: ({ request: { endpoint, headers, params } }) => JSON.stringify([endpoint, headers, params]),
  itemsMax: (_, { request }) => (request.endpointPath === oldContactsPath ? oldContactsMax : objectsMax),
  merge(items) {
    const [{ request }] = items
    if (request.endpointPath === oldContactsPath) return jointArray(items)
    return withInputs(
      request,
      items.flatMap((item) => inputsIn(item.request)),
    )
  },
})

/** Joins changes of objects of one kind. Events of a user stay in order, as in RudderStack. */
export const hubspotBatch: BatchRule = batchPerKind(
  ({ event }) => String(event['type']),
  (entries, settings, limits) => packed(entries, settings, limits).map(finished),
)

/** Returns the changes in a request. */
export function inputsIn({ body }: Pick<DeliveryRequest, 'body'>): readonly JsonObject[] {
  const { inputs } = body.JSON
  return Array.isArray(inputs) ? inputs.filter(isJsonObject) : []
}

function withInputs(request: DeliveryRequest, inputs: readonly JsonObject[]): DeliveryRequest {
  return { ...request, body: { ...request.body, JSON: { ...request.body.JSON, inputs } } }
}

function finished(batch: Batch): Batch {
  const [whole] = batch.requests as [DeliveryRequest]
  const { userId: _, ...request } = whole
  const isUpsert = request.endpointPath?.endsWith('/upsert') === true
  return isUpsert ? mergedById(request, batch) : { ...batch, requests: [request] }
}

/**
 * HubSpot refuses a batch that changes an object twice, so changes of one object are merged. Each change is marked with
 * the indexes of its events, which HubSpot repeats in its errors. Source: HubSpot docs, Upsert, objectWriteTraceId.
 */
function mergedById(request: DeliveryRequest, batch: Batch): Batch {
  const byId = new Map<string, { readonly input: JsonObject; readonly parts: readonly BatchPart[] }>()
  for (const [place, input] of inputsIn(request).entries()) {
    const part = batch.parts[0]?.[place]
    if (part === undefined) continue
    const key = JSON.stringify([input['id'], input['idProperty']])
    const { input: before, parts } = byId.get(key) ?? { input, parts: [] }
    const properties = { ...Object(before['properties']), ...Object(input['properties']) }
    byId.set(key, { input: { ...before, properties }, parts: [...parts, part] })
  }
  const changes = [...byId.values()]
  const inputs = changes.map(({ input, parts }) => ({
    ...input,
    objectWriteTraceId: parts.map(({ index }) => index).join(traceSeparator),
  }))
  return { ...batch, requests: [withInputs(request, inputs)], parts: [changes.flatMap(({ parts }) => parts)] }
}

/** Separates the indexes of the events of a change. */
export const traceSeparator = '+'

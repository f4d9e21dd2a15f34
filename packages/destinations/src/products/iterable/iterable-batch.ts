import type { JsonObject } from '@sluice/core'
import {
  type BatchRule,
  type DeliveryRequest,
  jointRequest,
  objectOrEmpty,
  pack,
  sameTarget,
  withoutUser,
} from '../../kit/index.ts'

export const itemsMax = 1000 // users, events and documents per request; source: Iterable docs, bulk endpoints
export const bytesMax = 4_000_000 // Iterable refuses larger requests

/** The list in which the bulk endpoint for a path takes the bodies of single requests, and the path of that endpoint. */
const bulk: Readonly<Record<string, { readonly list: string; readonly path: string }>> = {
  'users/update': { list: 'users', path: 'users/bulkUpdate' },
  'events/track': { list: 'events', path: 'events/trackBulk' },
}

/** Path of requests for items of a catalog, whose body is `{ documents: { [id]: fields } }`. */
export const catalogPath = 'catalogs'

const packed = pack({
  isJoinable: ({ endpointPath = '' }) => endpointPath in bulk || endpointPath === catalogPath,
  key: sameTarget,
  itemsMax,
  bytesMax,
  merge(items) {
    const requests = items.map(({ request }) => request)
    const [first] = requests as [DeliveryRequest]
    const { endpointPath: path = '' } = first
    const target = bulk[path]
    if (target === undefined) return jointRequest(first, { ...first.body.JSON, documents: documentsOf(requests) })
    const request = { ...first, endpoint: first.endpoint.replace(path, target.path), endpointPath: target.path }
    return jointRequest(request, { [target.list]: requests.map(({ body }) => body.JSON) })
  },
})

/** Joins users, events and items of a catalog; purchases, carts and changes of addresses are sent alone. */
export const iterableBatch: BatchRule = (entries, settings, limits) =>
  packed(entries, settings, limits).map((batch) => ({
    ...batch,
    requests: batch.requests.map(withoutUser),
  }))

function documentsOf(requests: readonly DeliveryRequest[]): JsonObject {
  return Object.fromEntries(requests.flatMap(({ body }) => Object.entries(objectOrEmpty(body.JSON['documents']))))
}

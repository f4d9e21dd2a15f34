import { AsyncLocalStorage } from 'node:async_hooks'
import type { SegmentCore } from '../peer/segment-core.ts'
import type { SegmentRequest, SegmentRequestOptions } from '../peer/segment-definition.ts'

type MakeClient = (options: SegmentRequestOptions) => SegmentRequest

const running = new AsyncLocalStorage<MakeClient>()

/** Runs code of an action. Clients that it makes itself, with `createRequestClient` of Segment, come from `make`. */
export function withClients<T>(make: MakeClient, code: () => T): T {
  return running.run(make, code)
}

/**
 * Replaces Segment's `createRequestClient`, so that it makes clients over our transport. Outside of an action it throws.
 *
 * @returns false when this release does not allow it.
 */
export function routeOwnClients(core: SegmentCore): boolean {
  return core.replaceRequestClient((...options) => {
    const make = running.getStore()
    if (make === undefined) throw new Error('Request clients can be created only while an action runs.')
    return make(Object.assign({}, ...options))
  })
}

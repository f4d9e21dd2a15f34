import { batchPerKind, joined, jointArray, pack, sameTarget } from '../../kit/index.ts'

export const itemsMax = 2000 // events per import, and user updates per request. Source: Mixpanel's API
export const groupsMax = 200 // group updates per request. Source: Mixpanel's API
export const bytesMax = 1_000_000 // bytes of an event at most; larger profile requests are refused too

const packed = pack({
  key: sameTarget,
  itemsMax: (_, { request }) => (request.endpointPath === 'groups' ? groupsMax : itemsMax),
  bytesMax,
  merge: jointArray,
})

/**
 * Packs requests of one kind, because Mixpanel has separate routes for events, users and groups. Requests of one event
 * stay together. Requests with different addresses or credentials are in different batches.
 */
export const mixpanelBatch = batchPerKind(({ event }) => String(event['type']), joined(packed))

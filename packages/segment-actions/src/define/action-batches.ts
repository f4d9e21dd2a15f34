import { isJsonObject, type JsonObject } from '@sluice/core'
import { type BatchRule, type PackItem, pack } from '@sluice/destinations/kit'
import { type ActionContent, readActionRequest, toActionRequest } from '../send/action-request.ts'

/** Events in a batch when the mapping has no `batch_size`. */
const itemsDefault = 100
/** Largest batch, whatever the mapping says: its requests and replies are held in memory. */
const itemsMax = 5_000
/** Largest size of all payloads of a batch. */
const bytesMax = 4 * 1024 * 1024

/**
 * Returns the rule that packs payloads of one subscription for `performBatch`: at most `batch_size` of them, with equal
 * values of the members that `batch_keys` names. Requests for `perform` stay alone.
 */
export function actionBatches(type: string): BatchRule {
  return pack({
    key: ({ request, index }) => {
      const content = readActionRequest(request)
      return content.kind === 'batch' ? keyOf(content) : `alone ${index} ${request.endpoint}`
    },
    itemsMax: (_, { request }) => sizeOf(readActionRequest(request)),
    bytesMax,
    merge: (items) => mergeAll(type, items),
  })
}

type BatchContent = Extract<ActionContent, { kind: 'batch' }>

function keyOf({ action, subscription, payloads: [payload = {}] }: BatchContent): string {
  const { batch_keys: names } = payload
  const values = Array.isArray(names) ? names.map((name) => payload[String(name)] ?? null) : []
  return JSON.stringify([action, subscription, values])
}

function sizeOf(content: ActionContent): number {
  if (content.kind !== 'batch') return 1
  const size = content.payloads[0]?.['batch_size']
  if (typeof size !== 'number' || !(size >= 1)) return itemsDefault
  return Math.min(Math.floor(size), itemsMax)
}

function mergeAll(type: string, items: readonly PackItem[]) {
  const contents = items.map(({ request }) => readActionRequest(request))
  const [first] = contents
  const only = items[0]?.request
  if (first?.kind !== 'batch') {
    if (only === undefined) throw new RangeError('A batch has at least one item.')
    return only
  }
  const payloads = contents.flatMap((each): readonly JsonObject[] =>
    each.kind === 'batch' ? each.payloads.filter(isJsonObject) : [],
  )
  return toActionRequest(type, { ...first, payloads })
}

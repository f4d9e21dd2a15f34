import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type DeliveryRequest,
  type DestinationReply,
  type ItemVerdict,
  objectOrEmpty,
  type Verdict,
  verdictOfAccount,
} from '../../kit/index.ts'

/**
 * Interprets replies of LinkedIn. With 422 it takes no conversion of a batch and names the invalid ones; the others are
 * sent again. Source: LinkedIn docs, Conversions API, error codes; recorded behaviour of RudderStack.
 */
export function respondToLinkedin(reply: DestinationReply, request: DeliveryRequest): Verdict {
  const faults = reply.status === 422 ? faultsOf(reply.body) : new Map<number, string>()
  if (faults.size === 0) return verdictOfAccount(reply)
  const items = eventsIn(request).map((indexes): ItemVerdict => {
    const faulty = indexes.find((index) => faults.has(index))
    if (faulty === undefined) return { outcome: 'retry', status: 500, message: 'another conversion was refused' }
    return { outcome: 'aborted', status: 400, message: faults.get(faulty) ?? '' }
  })
  return { outcome: 'delivered', status: reply.status, message: 'some conversions were refused', items }
}

/** Returns what LinkedIn says of each invalid conversion, by its index: `Index: 0, ERROR :: /user :: is required`. */
function faultsOf(body: JsonValue): ReadonlyMap<number, string> {
  const { message } = objectOrEmpty(body)
  const parts = typeof message === 'string' ? message.split('Index: ').slice(1) : []
  return new Map(parts.map((part) => [Number.parseInt(part, 10), part.slice(part.indexOf(',') + 1).trim()]))
}

/** Returns the indexes of the conversions of each event, which are adjacent and differ only in their rule. */
function eventsIn({ body }: DeliveryRequest): readonly (readonly number[])[] {
  const { elements } = body.JSON
  const events: number[][] = []
  let previous: string | undefined
  for (const [index, element] of (Array.isArray(elements) ? elements : []).entries()) {
    const { conversion: _, ...event } = isJsonObject(element) ? element : ({} as JsonObject)
    const key = JSON.stringify(event)
    if (key === previous) events.at(-1)?.push(index)
    else events.push([index])
    previous = key
  }
  return events
}

import { type Clock, createSeededRandom, type Event, systemClock } from '@sluice/core'
import { createSend, createTransport, sendAll } from '@sluice/delivery'
import { type DestinationDefinition, isKnown, mapEvent, parseSettings } from '@sluice/destinations'

export interface DeliveryOptions {
  readonly clock?: Clock
  /** Addresses that may be connected to although they are not public. Default: those of localhost. */
  readonly allow?: readonly string[]
  /** Attempts for each event. Default 1. */
  readonly attemptsMax?: number
  /** Time limit of a call, in milliseconds. Default 8,000. */
  readonly timeMs?: number
  /** Time limit to connect, in milliseconds. Default 3,000. */
  readonly connectTimeMs?: number
}

/** Sends events over the connections of one transport. */
export interface Delivery {
  /** Resolves with a status, or the code and message of an error, for each event. */
  send(events: readonly Event[]): Promise<readonly (number | string)[]>
  close(): Promise<void>
}

/** Opens a delivery to a destination over the real transport. */
export function openDelivery(
  definition: DestinationDefinition,
  given: object,
  { clock = systemClock, allow = ['localhost'], attemptsMax = 1, timeMs = 8_000, ...options }: DeliveryOptions = {},
): Delivery {
  const parsed = parseSettings(definition, given)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const { settings } = parsed
  const { connectTimeMs = 3_000 } = options
  const transport = createTransport({ clock, allowAddresses: allow, streams: { connectTimeMs } })
  const send = createSend({
    transport,
    clock,
    random: createSeededRandom(1),
    destination: { definition, settings },
    retry: { attemptsMax, baseMs: 1, capMs: 1 },
    timeMs,
  })
  return {
    async send(events) {
      const items = events.map((event) => {
        const requests = mapEvent(definition, event, settings, { now: 0 })
        if (!isKnown(requests)) throw new Error(JSON.stringify(requests))
        return { event, requests, userKey: String(event['userId']), messageId: String(event['messageId']) }
      })
      const outcomes = await sendAll(send, items, new AbortController().signal)
      return outcomes.map((outcome) => {
        if (outcome.kind === 'fail') return `${outcome.error.code}: ${outcome.error.message}`
        const [first] = outcome.kind === 'pass' ? outcome.items : []
        return first?.kind === 'delivered' ? first.status : outcome.kind
      })
    },
    close: () => transport.close(),
  }
}

import {
  type Clock,
  type Destination,
  drop,
  type Event,
  fail,
  InvariantError,
  identifierText,
  type JsonObject,
  type Outcome,
  pass,
  type SourcedEvent,
  type Stage,
} from '@sluice/core'
import type { DestinationDefinition } from '../define/define-destination.ts'
import { createEventFilter } from '../event-filter/event-filter.ts'
import type { DeliveryRequest } from './delivery-request.ts'
import { mapEvent } from './map-event.ts'
import { isMappingError } from './mapping-error.ts'

/** What one event becomes at a destination, with what delivery needs to know of it. */
export interface MappedEvent {
  /** As it was mapped: what may share a request is decided by it too. */
  readonly event: Event
  /** At least one, to be sent in this order. */
  readonly requests: readonly DeliveryRequest[]
  /** Events of the same key are delivered in order. */
  readonly userKey: string
  /** '' when user code removed it. */
  readonly messageId: string
}

/** Milliseconds of mapping after which others get their turn: a batch of usual events takes less. */
const turnMs = 10

export interface DestinationTransformOptions {
  readonly definition: DestinationDefinition
  /** As `parseSettings` gives them for this definition. */
  readonly settings: JsonObject
  /** Those of the operator, where `settings` are others for one call: only where these lead do their secrets go. */
  readonly stored?: JsonObject
  readonly destination: Pick<Destination, 'id' | 'name' | 'type'>
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Turns events into the requests of one destination, each event by itself: what is wrong with one, an exception of its
 * mapping included, does not touch the others. What the destination is not meant to get is dropped: see `createEventFilter`.
 *
 * The user of an event: see `userKeyOf`. A batch that takes long is mapped in turns, so that it holds up no one else.
 */
export function createDestinationTransformStage({
  definition,
  settings,
  stored = settings,
  destination,
  clock,
}: DestinationTransformOptions): Stage<SourcedEvent, MappedEvent> {
  const filter = createEventFilter(definition, settings)

  function transform({ event, sourceId }: SourcedEvent): Outcome<MappedEvent> {
    if (typeof event['type'] !== 'string') {
      return fail({ code: 'destination.event', message: 'message type missing or invalid' })
    }
    const reason = filter(event)
    if (reason !== undefined) return drop(reason)
    let requests: ReturnType<typeof mapEvent>
    try {
      requests = mapEvent(definition, event, settings, { now: clock.now(), sourceId }, stored)
    } catch (error) {
      if (error instanceof InvariantError) throw error
      return fail({ code: 'stage.broken', message: describeThrown(error, destination) })
    }
    if (isMappingError(requests)) return fail({ code: requests.code, message: requests.message })
    if (requests.length === 0) return drop('nothing to send')
    return pass({ event, requests, userKey: userKeyOf(event), messageId: identifierText(event.messageId) })
  }

  return {
    name: 'destination-transform',
    mutatesInput: false,
    async run(batch) {
      const outcomes: Outcome<MappedEvent>[] = []
      let since = performance.now()
      for (const item of batch) {
        if (performance.now() - since > turnMs) {
          await new Promise((resolve) => setImmediate(resolve))
          since = performance.now()
        }
        outcomes.push(transform(item))
      }
      return outcomes
    },
  }
}

/** The user of an event: its userId, else its anonymousId; an event of nobody is a user of its own. */
export function userKeyOf(event: Event): string {
  return identifierText(event['userId']) || identifierText(event['anonymousId']) || identifierText(event.messageId)
}

/** Names the exception and where it came from, but not its text, which may quote the settings or the event. */
function describeThrown(error: unknown, { name, type }: Pick<Destination, 'name' | 'type'>): string {
  const frame = error instanceof Error ? frameOf(error.stack ?? '') : undefined
  const thrown = error instanceof Error ? error.name : typeof error
  return `The mapping of ${name} (${type}) raised ${thrown}${frame ? ` at ${frame}` : ''}. This is a bug of the definition.`
}

/** File name and line of the first frame of a stack. The text above the frames may be long, and is not looked at. */
function frameOf(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    if (!/^\s+at /.test(line)) continue
    const place = line.slice(Math.max(line.lastIndexOf('/'), line.lastIndexOf('\\'), line.lastIndexOf('(')) + 1)
    const [file, number, column] = place.split(':')
    if (file && column !== undefined && /^\d+$/.test(number ?? '')) return `${file}:${number}`
  }
  return undefined
}

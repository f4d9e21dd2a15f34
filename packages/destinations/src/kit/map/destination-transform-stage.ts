import {
  type Clock,
  type Connection,
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
  userKeyOf,
} from '@sluice/core'
import { nextTurn } from '@sluice/core/next-turn'
import type { DestinationDefinition } from '../define/define-destination.ts'
import { createEventFilter } from '../event-filter/create-event-filter.ts'
import { type SourceTypes, typeOfSource } from '../event-filter/source-types.ts'
import { type Answers, type Ask, isAsk } from './ask.ts'
import { mapEvent } from './map-event.ts'
import { isMappingError, type MappingError } from './mapping-error.ts'
import type { DeliveryRequest } from './request/delivery-request.ts'

/** An event with its requests to a destination. */
export interface MappedEvent {
  /** The mapped event; some batch rules read it. */
  readonly event: Event
  /** Requests to be sent in this order. At least one, unless the mapping is open. */
  readonly requests: readonly DeliveryRequest[]
  /** Set when the product must answer a question before the requests are known. */
  readonly open?: OpenMapping
  /** Events with the same key are delivered in order. */
  readonly userKey: string
  /** The messageId; '' when user code removed it. */
  readonly messageId: string
}

/** A mapping that waits for the answer to a question. */
export interface OpenMapping {
  readonly ask: Ask
  /** Maps the event with all answers that are known by now. May ask again. */
  map(answers: Answers): readonly DeliveryRequest[] | MappingError | Ask
}

/** Why an event is dropped that is mapped to no request. */
export const nothingToSend = 'nothing to send'

/** Milliseconds of mapping after which the stage lets other work run. A typical batch takes less. */
const turnMs = 10

export interface DestinationTransformOptions {
  readonly definition: DestinationDefinition
  /** Settings as returned by `parseSettings` for this definition. */
  readonly settings: JsonObject
  /**
   * Stored settings, when `settings` override them for one call. Their secrets are sent only to origins that the stored
   * settings lead to.
   */
  readonly stored?: JsonObject
  readonly destination: Pick<Destination, 'id' | 'name' | 'type'>
  /** Connections to the destination that have settings of their own. */
  readonly connections?: readonly Connection[]
  /** Sources that events come from; the type of others is not known. */
  readonly sources?: SourceTypes
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Creates the stage that maps events to the requests of one destination. Events are independent: a failure of one, even
 * an exception of its mapping, does not affect the others. Events that the destination must not get are dropped: see
 * `createEventFilter`.
 *
 * Events of a user have the same key: see `userKeyOf`. While a long batch is mapped, other work can run in between.
 */
export function createDestinationTransformStage({
  definition,
  settings,
  stored = settings,
  destination,
  connections = [],
  sources = [],
  clock,
}: DestinationTransformOptions): Stage<SourcedEvent, MappedEvent> {
  const filter = createEventFilter(definition, settings)
  const typeOf = typeOfSource(sources)
  const connectionOf = new Map(connections.map((each) => [each.sourceId, connectionContext(each)]))

  function transform({ event, sourceId }: SourcedEvent): Outcome<MappedEvent> {
    if (typeof event['type'] !== 'string')
      return fail({ code: 'destination.event', message: 'message type missing or invalid' })
    const reason = filter(event, typeOf(sourceId))
    if (reason !== undefined) return drop(reason)
    const now = clock.now()
    const connection = connectionOf.get(sourceId)
    const context = connection
      ? { now, sourceId, destinationId: destination.id, connection }
      : { now, sourceId, destinationId: destination.id }
    const map = (answers?: Answers) =>
      mapEvent(definition, event, settings, answers ? { ...context, answers } : context, stored)
    let requests: ReturnType<typeof mapEvent>
    try {
      requests = map()
    } catch (error) {
      if (error instanceof InvariantError) throw error
      return fail({ code: 'stage.broken', message: describeThrown(error, destination) })
    }
    if (isMappingError(requests)) return fail({ code: requests.code, message: requests.message })
    const mapped = { event, userKey: userKeyOf(event), messageId: identifierText(event.messageId) }
    if (isAsk(requests)) return pass({ ...mapped, requests: [], open: { ask: requests, map } })
    return requests.length === 0 ? drop(nothingToSend) : pass({ ...mapped, requests })
  }

  return {
    name: 'destination-transform',
    async run(batch) {
      const outcomes: Outcome<MappedEvent>[] = []
      let since = performance.now()
      for (const item of batch) {
        if (performance.now() - since > turnMs) {
          await new Promise<void>((resolve) => nextTurn(resolve))
          since = performance.now()
        }
        outcomes.push(transform(item))
      }
      return outcomes
    },
  }
}

/** Returns a connection in RudderStack's shape, which mappings read. */
function connectionContext({ sourceId, destinationId, settings = {} }: Connection): JsonObject {
  return { sourceId, destinationId, enabled: true, config: { destination: settings } }
}

/** Describes an exception by name and place, without its message, which may quote the settings or the event. */
function describeThrown(error: unknown, { name, type }: Pick<Destination, 'name' | 'type'>): string {
  const frame = error instanceof Error ? frameOf(error.stack ?? '') : undefined
  const thrown = error instanceof Error ? error.name : typeof error
  return `The mapping of ${name} (${type}) threw ${thrown}${frame ? ` at ${frame}` : ''}. The definition has a bug.`
}

/**
 * Returns the file name and line of the first frame of a stack. The text above the frames may be long, so it is
 * skipped.
 */
function frameOf(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    if (!/^\s+at /.test(line)) continue
    const place = line.slice(Math.max(line.lastIndexOf('/'), line.lastIndexOf('\\'), line.lastIndexOf('(')) + 1)
    const [file, number, column] = place.split(':')
    if (file && column !== undefined && /^\d+$/.test(number ?? '')) return `${file}:${number}`
  }
  return undefined
}

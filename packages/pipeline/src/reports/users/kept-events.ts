import type { Event } from '@sluice/core'
import { ownPlaces } from '@sluice/regulation'
import type { DeferredEvent } from '../../ports/deferred-event.ts'
import type { Store } from '../../ports/store.ts'
import type { DeadLetter } from '../../ports/stores/dead-letter-store.ts'
import { type LookParts, newestBatches } from './newest-batches.ts'

interface KeptEvent {
  readonly event: Event
  /** When it was accepted, in milliseconds since the epoch. */
  readonly at: number
}

interface KeptEvents {
  /** Those that are wanted: of the log, the newest first; then, as they were accepted and as user code made them, others. */
  readonly events: AsyncIterable<KeptEvent>
  /** Returns the places that were not looked through whole. */
  cut(): readonly string[]
}

/** Events that wait, and dead letters, that are looked through: each place so many. */
const othersMax = 5_000
/** Events that are read at a time: their texts may be large. */
const othersAtOnce = 100
/** Time for each place, in milliseconds: a person waits. */
const timeMs = 2_000

/** Looks through all events that are kept of a workspace, with their identifiers, within limits. */
export function keptEvents(
  workspaceId: string,
  store: Pick<Store, 'log' | 'retries' | 'deadLetters'>,
  look: LookParts,
  isWanted: (event: Event) => boolean,
): KeptEvents {
  const { clock, engine } = look
  const newest = newestBatches(store.log, workspaceId, look, isWanted)
  const inTurns = engine.inTurns(workspaceId)
  const cut = new Set<string>()
  async function* within(place: string, pages: AsyncIterable<readonly (DeferredEvent | DeadLetter)[]>) {
    const until = clock.now() + timeMs
    let seen = 0
    for await (const page of pages) {
      if (seen >= othersMax || clock.now() > until) {
        cut.add(place)
        return
      }
      seen += page.length
      const kept = page.flatMap(({ source, outputs = [] }) =>
        [source.event, ...outputs.map((output) => output.event)].map((event) => ({
          event,
          at: source.receivedAt ?? 0,
        })),
      )
      const wanted = await inTurns(kept, ({ event }) => isWanted(event))
      yield* kept.filter((_, place) => wanted[place])
    }
  }
  async function* events(): AsyncGenerator<KeptEvent> {
    for await (const { events, receivedAt } of newest.batches)
      for (const event of events) yield { event, at: receivedAt }
    if (newest.isCut()) cut.add(ownPlaces.log.where)
    yield* within(ownPlaces.waiting.where, waitingEvents(workspaceId, store))
    yield* within(ownPlaces.deadLetters.where, deadLetters(workspaceId, store))
  }
  return { events: events(), cut: () => [...cut] }
}

/** Reads events that wait, page by page. */
async function* waitingEvents(workspaceId: string, { retries }: Pick<Store, 'retries'>) {
  for (const destinationId of await retries.destinations(workspaceId)) {
    const ids = (await retries.entries(workspaceId, destinationId)).map(({ id }) => id).reverse()
    for (let start = 0; start < ids.length; start += othersAtOnce)
      yield await retries.read(workspaceId, ids.slice(start, start + othersAtOnce))
  }
}

/** Reads dead letters page by page, the newest first. */
async function* deadLetters(workspaceId: string, { deadLetters: letters }: Pick<Store, 'deadLetters'>) {
  for (let after: string | undefined; ; ) {
    const page: readonly DeadLetter[] = await letters.list(workspaceId, {
      newestFirst: true,
      limit: othersAtOnce,
      after,
    })
    after = page.at(-1)?.id
    if (after === undefined) return
    yield page
  }
}

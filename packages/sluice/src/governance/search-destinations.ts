import {
  type Clock,
  type Destination,
  identifierText,
  type JsonObject,
  type Random,
  type Workspace,
} from '@sluice/core'
import { createApiSearcher, type FoundRecords, ownedTransport, type Transport } from '@sluice/delivery'
import type { DestinationRegistry } from '@sluice/destinations'
import { isMappingError } from '@sluice/destinations/kit'
import type { Regulation, SearchedPlace, UnsearchedPlace, UserSearch } from '@sluice/regulation'

interface DestinationSearchParts {
  readonly workspaces: () => readonly Workspace[]
  readonly destinations: DestinationRegistry
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
}

/** Time for all destinations, in milliseconds: clients give up after a minute. */
const searchMs = 45_000

/** Creates a function that searches the destinations that a regulation deletes from, all at the same time. */
export function createDestinationSearch(
  parts: DestinationSearchParts,
): (regulation: Regulation) => Promise<UserSearch> {
  return async (regulation) => {
    const workspace = parts.workspaces().find(({ id }) => id === regulation.workspaceId)
    const signal = AbortSignal.timeout(searchMs)
    const places = await Promise.all(
      (workspace?.destinations ?? []).map((destination) => searchOne(destination, regulation, parts, signal)),
    )
    return {
      searched: places.flatMap((place) => ('count' in place ? place : [])),
      notSearched: places.flatMap((place) => ('count' in place ? [] : place)),
    }
  }
}

async function searchOne(
  { id, name, type, settings }: Destination,
  { workspaceId, attributes, destinationIds }: Regulation,
  { destinations, transport, clock, random }: DestinationSearchParts,
  signal: AbortSignal,
): Promise<SearchedPlace | UnsearchedPlace> {
  const where = { where: name, destinationId: id }
  if (destinationIds.length > 0 && !destinationIds.includes(id))
    return { ...where, reason: 'the regulation does not name this destination' }
  const definition = destinations.get(type)
  const owned = ownedTransport(transport, workspaceId)
  const search = definition && searchOf(definition, settings, { transport: owned, clock, random })
  if (search === undefined) return { ...where, reason: 'Sluice cannot search destinations of this type' }
  try {
    const found = await search(attributes, signal)
    if (!found.ok) return { ...where, reason: found.reason, hasFailed: true }
    const identifier = definition?.deletion?.identifier?.(settings) ?? 'userId'
    const hasOthers = Object.keys(attributes).some((each) => each !== identifier)
    // Such a product knows each writing of an id as another user, and which ones it got is forgotten with the deletion.
    const { deletion } = definition ?? {}
    const isExact = deletion?.search !== undefined && identifier === 'userId' && !deletion.findsWritings
    const notes = [
      ...(found.note === undefined ? [] : [found.note]),
      ...(hasOthers ? [`by ${identifier} only`] : []),
      ...(isExact ? [`exactly as the regulation has it`] : []),
    ]
    return { ...where, count: found.count, note: notes.length > 0 ? notes.join('; ') : undefined }
  } catch (error) {
    if (!signal.aborted) throw error
    return { ...where, reason: `it was not searched within ${searchMs / 1_000} s`, hasFailed: true }
  }
}

type SearchUser = (user: JsonObject, signal: AbortSignal) => Promise<FoundRecords>

/** Returns the function that finds a user at a destination; undefined where there is none. */
function searchOf(
  definition: NonNullable<ReturnType<DestinationRegistry['get']>>,
  settings: JsonObject,
  parts: Pick<DestinationSearchParts, 'transport' | 'clock' | 'random'>,
): SearchUser | undefined {
  const { deletion, keptLines } = definition
  if (deletion?.search) return createApiSearcher({ ...parts, definition, rule: deletion.search, settings })
  const countLines = parts.transport.countLines?.bind(parts.transport)
  if (keptLines === undefined || countLines === undefined) return undefined
  const place = keptLines.place(settings)
  if (isMappingError(place)) return async () => ({ ok: false, reason: place.message })
  const { userIdAt } = keptLines
  return ({ userId }, signal) => countLines({ place, userIdAt, userIds: new Set([identifierText(userId)]), signal })
}

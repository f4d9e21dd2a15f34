import {
  comparableIdentifier,
  type Event,
  type FurtherIdentifier,
  furtherIdentifiers,
  identifiersOf,
  identifierText,
  namedUserOf,
  someFurther,
  someIdentifier,
} from '@sluice/core'
import type { Store } from '../../ports/store.ts'
import { keptEvents } from './kept-events.ts'
import type { LookParts } from './newest-batches.ts'

/** What a user is looked for by. `identifier` is a value of any kind: an id of whatever name, an e-mail address, a phone number. */
export type UserSearch = Readonly<Partial<Record<FurtherIdentifier | 'identifier', string>>>

/** A user whose events match. */
export interface FoundUser {
  /** As cleaned text; absent where the events name no user. */
  readonly userId?: string
  readonly anonymousIds: readonly string[]
  /** Other ids by which the events name the person: external ids, ids in traits, the `previousId` of an alias. */
  readonly otherIds: readonly string[]
  /** Events that match. */
  readonly events: number
  /** Time of the newest, in milliseconds since the epoch. */
  readonly lastSeenAt: number
}

export interface UsersFound {
  /** The user seen last first, at most 100. */
  readonly users: readonly FoundUser[]
  /** Whether not everything was looked through, or not all users are listed. */
  readonly isCut: boolean
  /** What was looked through, and what was not. */
  readonly notes: readonly string[]
  /** The one of them that says that there are more users than are listed. */
  readonly fullNote?: string
}

const usersMax = 100
const idsMax = 20
/** Ids of events that are remembered, because one may be kept in several places. */
const eventsMax = 100_000

interface Building {
  readonly userId: string
  readonly anonymousIds: Set<string>
  readonly otherIds: Set<string>
  events: number
  lastSeenAt: number
}

/**
 * Finds users by what their events say of them: those in the log, those that wait, and dead letters, within the limits of
 * `keptEvents`. Nothing else keeps these values where they can be found.
 *
 * @param match whether an event must have all that is given, or any of it.
 */
export async function findUsers(
  workspaceId: string,
  search: UserSearch,
  store: Pick<Store, 'log' | 'retries' | 'deadLetters'>,
  look: LookParts,
  match: 'all' | 'any' = 'all',
): Promise<UsersFound> {
  const kept = keptEvents(workspaceId, store, look, matcherOf(search, match))
  const found = new Map<string, Building>()
  const seen = new Set<string>()
  let isFull = false
  for await (const { event, at } of kept.events) {
    const [userId, anonymousId] = [namedUserOf(event), identifierText(event['anonymousId'])]
    const key = JSON.stringify(userId === '' ? { anonymousId } : { userId })
    const user = found.get(key) ?? {
      userId,
      anonymousIds: new Set<string>(),
      otherIds: new Set<string>(),
      events: 0,
      lastSeenAt: at,
    }
    isFull ||= found.size >= usersMax && !found.has(key)
    if (found.size < usersMax) found.set(key, user)
    const eventKey = JSON.stringify([key, event.messageId])
    if (!seen.has(eventKey)) user.events += 1
    if (seen.size < eventsMax) seen.add(eventKey)
    user.lastSeenAt = Math.max(user.lastSeenAt, at)
    if (anonymousId !== '' && user.anonymousIds.size < idsMax) user.anonymousIds.add(anonymousId)
    for (const id of identifiersOf(event))
      if (id !== userId && id !== anonymousId && user.otherIds.size < idsMax) user.otherIds.add(id)
  }
  const cut = kept.cut()
  const fullNote = isFull ? `There are more than ${usersMax} users; only ${usersMax} of them are listed.` : undefined
  return {
    isCut: cut.length > 0 || isFull,
    users: [...found.values()]
      .sort((a, b) => b.lastSeenAt - a.lastSeenAt)
      .map(({ userId, anonymousIds, otherIds, ...rest }) => ({
        userId: userId === '' ? undefined : userId,
        anonymousIds: [...anonymousIds],
        otherIds: [...otherIds],
        ...rest,
      })),
    notes: [
      'The event log, events that wait for a destination, and dead letters were searched: events that none of them keeps are not found.',
      ...cut.map((place) => `Not all of this was looked through, only its newest part: ${place}.`),
      ...(fullNote === undefined ? [] : [fullNote]),
    ],
    ...(fullNote === undefined ? {} : { fullNote }),
  }
}

/** Returns whether an event has what is given. Blank identifiers match nothing. */
function matcherOf(search: UserSearch, match: 'all' | 'any'): (event: Event) => boolean {
  const wanted = furtherIdentifiers.flatMap((name): [FurtherIdentifier, string][] => {
    const given = search[name]
    return given === undefined ? [] : [[name, comparableIdentifier(name, given)]]
  })
  const identifier = identifierText(search.identifier)
  const isNamed = (event: Event): boolean =>
    someIdentifier(event, (value) => identifierText(value) === identifier) ||
    someFurther(event, (name, value) => value === comparableIdentifier(name, identifier))
  return (event) => {
    if (identifier !== '') return isNamed(event)
    const has = ([name, text]: readonly [FurtherIdentifier, string]): boolean =>
      text !== '' && someFurther(event, (other, value) => other === name && value === text)
    return wanted.length > 0 && (match === 'all' ? wanted.every(has) : wanted.some(has))
  }
}

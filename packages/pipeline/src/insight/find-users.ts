import { type Clock, type Event, identifierText, isJsonObject, type JsonValue } from '@sluice/core'
import type { Store } from '../ports/store.ts'
import { newestBatches } from './newest-batches.ts'

/** What a user is looked for by: all that is given must match. */
export interface UserSearch {
  readonly email?: string
  readonly phone?: string
  readonly anonymousId?: string
}

/** A user whose events match. */
export interface FoundUser {
  /** As cleaned text; absent where the events have only an anonymousId. */
  readonly userId?: string
  readonly anonymousIds: readonly string[]
  /** Events that match. */
  readonly events: number
  /** Time of the newest, in milliseconds since the epoch. */
  readonly lastSeenAt: number
}

export interface UsersFound {
  /** The user seen last first, at most 100. */
  readonly users: readonly FoundUser[]
  /** Whether only the newest part of the log was looked through, or not all users are listed. */
  readonly isCut: boolean
  /** What was not looked through. */
  readonly notes: readonly string[]
}

const usersMax = 100
const anonymousIdsMax = 20

interface Building {
  readonly userId: string
  readonly anonymousIds: Set<string>
  events: number
  lastSeenAt: number
}

/**
 * Finds users by what their events say of them. The log is looked through from its end, within the limits of
 * `newestBatches`; nothing else keeps these values where they can be found.
 */
export async function findUsers(
  workspaceId: string,
  search: UserSearch,
  { log }: Pick<Store, 'log'>,
  clock: Pick<Clock, 'now'>,
): Promise<UsersFound> {
  const isWanted = matcherOf(search)
  const newest = newestBatches(log, workspaceId, clock)
  const found = new Map<string, Building>()
  let isFull = false
  for await (const { events, receivedAt } of newest.batches)
    for (const event of events) {
      if (!isWanted(event)) continue
      const [userId, anonymousId] = [identifierText(event['userId']), identifierText(event['anonymousId'])]
      const key = JSON.stringify(userId === '' ? { anonymousId } : { userId })
      const user = found.get(key) ?? { userId, anonymousIds: new Set<string>(), events: 0, lastSeenAt: receivedAt }
      isFull ||= found.size >= usersMax && !found.has(key)
      if (found.size < usersMax) found.set(key, user)
      user.events += 1
      user.lastSeenAt = Math.max(user.lastSeenAt, receivedAt)
      if (anonymousId !== '' && user.anonymousIds.size < anonymousIdsMax) user.anonymousIds.add(anonymousId)
    }
  const isCut = newest.isCut()
  return {
    isCut: isCut || isFull,
    users: [...found.values()]
      .sort((a, b) => b.lastSeenAt - a.lastSeenAt)
      .map(({ userId, anonymousIds, ...rest }) => ({
        ...(userId === '' ? {} : { userId }),
        anonymousIds: [...anonymousIds],
        ...rest,
      })),
    notes: [
      'Only the event log was searched: events that it no longer keeps are not found.',
      ...(isCut ? ['Only the newest part of the log was looked through.'] : []),
      ...(isFull ? [`There are more than ${usersMax} users; only ${usersMax} of them are listed.`] : []),
    ],
  }
}

function matcherOf({ email, phone, anonymousId }: UserSearch): (event: Event) => boolean {
  const [wantedEmail, wantedPhone] = [comparableEmail(email ?? ''), digitsOf(phone ?? '')]
  const wantedId = identifierText(anonymousId)
  return (event) =>
    (email === undefined || someTrait(event, 'email', (value) => comparableEmail(value) === wantedEmail)) &&
    (phone === undefined ||
      (wantedPhone !== '' && someTrait(event, 'phone', (value) => digitsOf(value) === wantedPhone))) &&
    (anonymousId === undefined || (wantedId !== '' && identifierText(event['anonymousId']) === wantedId))
}

/** Looks at the places from which destinations take an e-mail or phone. */
function someTrait(event: Event, name: string, isWanted: (value: JsonValue) => boolean): boolean {
  const { traits, context, properties } = event
  const places = [traits, isJsonObject(context) ? context['traits'] : undefined, properties]
  return places.some((place) => {
    const value = isJsonObject(place) ? place[name] : undefined
    return value !== undefined && value !== null && value !== '' && isWanted(value)
  })
}

function comparableEmail(value: JsonValue): string {
  return identifierText(value).toLowerCase()
}

/** A phone number is the same however its digits are grouped. */
function digitsOf(value: JsonValue): string {
  return identifierText(value).replace(/\D/g, '')
}

import { type Event, identifierText } from '@sluice/core'
import type { AskedEngine } from '../asked-engine.ts'
import { type FoundUser, findUsers } from './find-users.ts'
import type { LookParts } from './newest-batches.ts'
import { type ReportedStores, reportUser, type UserReport } from './user-report.ts'

/** An id by which events name a person. */
export interface UserKey {
  readonly kind: 'userId' | 'anonymousId' | 'otherId'
  readonly id: string
}

/** Who was found by an identifier, and what is held of them. */
export interface PersonFound extends Pick<UserReport, 'held' | 'destinations' | 'notes'> {
  readonly userKeys: readonly UserKey[]
}

/** Users whose records are counted. */
const countedMax = 5

interface FindPersonParts extends LookParts {
  readonly engine: AskedEngine
  /** Sources of the workspace: a regulation may be of some of them. */
  readonly sourceIds: readonly string[]
}

/**
 * Finds a person by any identifier, and counts what is held of them. One who is suppressed, at any source, is answered like
 * one who is not known, after the same steps: the search, the counts of the identifier itself, and the look at regulations. While that cannot be decided, everyone is answered like that.
 */
export async function findPerson(
  { workspaceId, identifier: given }: { readonly workspaceId: string; readonly identifier: string },
  store: ReportedStores,
  { clock, engine, sourceIds }: FindPersonParts,
): Promise<PersonFound> {
  const identifier = identifierText(given)
  const look = { clock, engine }
  const { users, notes, fullNote, isCut } = await findUsers(workspaceId, { identifier }, store, look)
  const own = await reportUser({ workspaceId, userId: identifier }, store, look)
  const groups = [[identifier], ...users.map(idsOf)]
  // Without a source, the regulations of all sources still hold for what is kept.
  const sources = sourceIds.length > 0 ? sourceIds : ['']
  const asked = groups.flatMap((ids) =>
    sources.flatMap((sourceId) =>
      askedEvents(ids).map((event) => ({ ids, source: { workspaceId, sourceId, writeKey: '', event } })),
    ),
  )
  const open = new Set(await engine.reports.unsuppressed(workspaceId, asked))
  const hidden = new Set(asked.flatMap((each) => (open.has(each) ? [] : each.ids)))
  const isHidden = hidden.has(identifier)
  const shown = isHidden ? [] : unhidden(users, hidden)
  // What is held of the identifier itself may be of those who are left out, or whom a search that was cut did not find.
  const isOnlyHeld = users.length === 0 && !isCut && !isHidden && own.held.some(({ count }) => count > 0)
  const counted = [...new Set(shown.map(({ userId, anonymousIds: [guest] }) => userId ?? guest ?? ''))]
  const reports: UserReport[] = isOnlyHeld ? [own] : []
  for (const userId of counted.slice(0, countedMax))
    reports.push(userId === identifier ? own : await reportUser({ workspaceId, userId }, store, look))
  return {
    userKeys: isOnlyHeld ? [{ kind: 'userId', id: identifier }] : keysOf(shown),
    held: heldOf(reports),
    destinations: deliveredOf(reports),
    notes: [
      // Of more users than are listed, some may be suppressed.
      ...new Set([
        ...notes.filter((note) => note !== fullNote || shown.length === users.length),
        ...own.notes.slice(0, 2),
      ]),
      ...(counted.length > countedMax ? [`Only the records of ${countedMax} of these users are counted.`] : []),
    ],
  }
}

function idsOf({ userId, anonymousIds, otherIds }: FoundUser): readonly string[] {
  return [...(userId === undefined ? [] : [userId]), ...anonymousIds, ...otherIds]
}

/** Events that would have the ids: of a user, and of a guest, who is known by e-mail address and phone number, too. */
function askedEvents([first = '', ...more]: readonly string[]): readonly Event[] {
  const context = { externalId: more.map((id) => ({ id })) }
  return [
    { type: 'identify', userId: first, context },
    { type: 'identify', anonymousId: first, context: { traits: { email: first, phone: first } } },
  ]
}

/** Leaves out who has a hidden id, and who shares an id with them: events of guests are of the same person. */
function unhidden(users: readonly FoundUser[], given: ReadonlySet<string>): readonly FoundUser[] {
  const hidden = new Set(given)
  for (let before = -1; before !== hidden.size; ) {
    before = hidden.size
    for (const user of users) if (idsOf(user).some((id) => hidden.has(id))) for (const id of idsOf(user)) hidden.add(id)
  }
  return users.filter((user) => !idsOf(user).some((id) => hidden.has(id)))
}

function keysOf(users: readonly FoundUser[]): readonly UserKey[] {
  const keys = new Map<string, UserKey>()
  const add = (kind: UserKey['kind'], id: string) => keys.set(JSON.stringify([kind, id]), { kind, id })
  for (const { userId, anonymousIds, otherIds } of users) {
    if (userId !== undefined) add('userId', userId)
    for (const id of anonymousIds) add('anonymousId', id)
    for (const id of otherIds) add('otherId', id)
  }
  return [...keys.values()]
}

function heldOf(reports: readonly UserReport[]): UserReport['held'] {
  const places = new Map<string, UserReport['held'][number]>()
  for (const { where, count, note } of reports.flatMap(({ held }) => held)) {
    const sum = count + (places.get(where)?.count ?? 0)
    places.set(where, { where, count: sum, ...(note === undefined ? {} : { note }) })
  }
  return [...places.values()].filter(({ count }) => count > 0)
}

function deliveredOf(reports: readonly UserReport[]): UserReport['destinations'] {
  const events = new Map<string, number>()
  for (const each of reports.flatMap(({ destinations }) => destinations))
    events.set(each.destinationId, each.events + (events.get(each.destinationId) ?? 0))
  return [...events].map(([destinationId, count]) => ({ destinationId, events: count }))
}

import { type Event, keysOfPerson, someKey } from '@sluice/core'
import { ownPlaces, type Regulation, type SearchedPlace, type UserSearch } from '@sluice/regulation'
import type { Catalogue } from '@sluice/schema'
import type { Store } from '../../ports/store.ts'
import type { LookParts } from './newest-batches.ts'
import { searchedIdentifiers } from './searched-identifiers.ts'

/** Batches of the log read in one step; they are held in memory. */
const batchesPerStep = 20
/** Size of one read, in bytes. */
const readBytesMax = 4 * 1_024 * 1_024
/** Time for the log, in milliseconds: clients give up after a minute. */
const timeMs = 40_000

export interface SearchUserParts extends LookParts {
  readonly store: Pick<Store, 'log' | 'retries' | 'deadLetters' | 'receipts'>
  readonly catalogue: Pick<Catalogue, 'mentioning'>
}

/**
 * Searches everything that the eraser of own data deletes from, in the same way: see `createOwnDataEraser`. The log is read
 * whole, or reported as not searched.
 * @param attributes identifiers of the user: `userId` as cleaned text, and others.
 */
export async function searchUser(
  { workspaceId, attributes }: Pick<Regulation, 'workspaceId' | 'attributes'>,
  { store, catalogue, ...look }: SearchUserParts,
): Promise<UserSearch> {
  const keys = keysOfPerson(attributes)
  const identifiers = searchedIdentifiers([attributes])
  const { deadLetters, retries, receipts } = store
  const logged = await searchLog(store, workspaceId, new Set(keys), look)
  const each = <T>(find: (key: string) => Promise<readonly T[]>): Promise<readonly T[]> =>
    Promise.all(keys.map(find)).then((found) => found.flat())
  const [waiting, failed, oldest, mentioned, known] = await Promise.all([
    each((key) => retries.ofUser(workspaceId, key)),
    each((key) => deadLetters.ids(workspaceId, { userId: key }, deadLetters.limits.lettersMax)),
    each((key) => deadLetters.list(workspaceId, { userId: key, limit: 1 })),
    receipts.mentioning(workspaceId, identifiers),
    catalogue.mentioning(workspaceId, identifiers),
  ])
  const log = { where: ownPlaces.log.where }
  return {
    searched: [
      // What was found is reported even when the rest was not searched.
      ...(logged.isWhole || logged.count > 0 ? [{ ...log, ...found(logged.count, logged.since) }] : []),
      { where: ownPlaces.waiting.where, count: new Set(waiting.map(({ id }) => id)).size },
      { where: ownPlaces.deadLetters.where, ...found(new Set(failed).size, earliest(oldest)) },
      { where: ownPlaces.receipts.where, count: mentioned },
      { where: ownPlaces.samples.where, count: known.samples },
      { where: ownPlaces.values.where, count: known.values },
    ],
    notSearched: logged.isWhole
      ? []
      : [{ ...log, reason: `the log was not read whole within ${timeMs / 1_000} s; try again when less is going on` }],
  }
}

function found(count: number, since: number | undefined): Pick<SearchedPlace, 'count' | 'since'> {
  return since === undefined ? { count } : { count, since }
}

function earliest(letters: readonly { readonly at: number }[]): number | undefined {
  return letters.length === 0 ? undefined : Math.min(...letters.map(({ at }) => at))
}

interface LogSearch {
  readonly count: number
  /** When the oldest event was accepted. */
  readonly since: number | undefined
  /** Whether everything was read that was there at the beginning. */
  readonly isWhole: boolean
}

/** Reads the log from its beginning. */
async function searchLog(
  { log }: Pick<Store, 'log'>,
  workspaceId: string,
  keys: ReadonlySet<string>,
  { clock, engine }: LookParts,
): Promise<LogSearch> {
  const inTurns = engine.inTurns(workspaceId)
  const isTheirs = (event: Event): boolean => someKey(event, (key) => keys.has(key))
  const until = clock.now() + timeMs
  const end = await log.end(workspaceId)
  let count = 0
  let since: number | undefined
  for (let position = 0; position < end; ) {
    if (clock.now() > until) return { count, since, isWhole: false }
    const batches = await log.read(workspaceId, position, batchesPerStep, readBytesMax)
    for (const { events, receivedAt } of batches) {
      const theirs = (await inTurns(events, isTheirs)).filter(Boolean).length
      if (theirs > 0) since = Math.min(since ?? receivedAt, receivedAt)
      count += theirs
    }
    const last = batches.at(-1)
    if (last === undefined) break
    position = last.position
  }
  return { count, since, isWhole: true }
}

import { type Clock, type Event, keysOfPerson, someKey } from '@sluice/core'
import type { Eraser } from '@sluice/regulation'
import { type Catalogue, OwnedValueCounter, type OwnedValues } from '@sluice/schema'
import type { Store } from '../ports/store.ts'
import { newestBatches } from '../reports/users/newest-batches.ts'
import { searchedIdentifiers } from '../reports/users/searched-identifiers.ts'
import type { Engine } from './engine.ts'

export interface OwnDataEraserOptions {
  readonly workspaceId: string
  readonly store: Pick<Store, 'log' | 'deadLetters' | 'receipts' | 'wipe'>
  readonly catalogue: Pick<Catalogue, 'forget'>
  readonly engine: Pick<Engine, 'erasure' | 'inTurns' | 'kept'>
  readonly clock: Pick<Clock, 'now'>
  /** Length at which the catalogue cuts values, in characters. */
  readonly valueLengthMax: number
}

/**
 * Deletes what Sluice itself keeps of users, who are suppressed by then: events in the log, delivered or not, events that wait
 * for another try, dead letters, accepted requests that are kept in memory, all by the keys of the users (see `keysOfPerson`), and every receipt, sample and frequent value of the schema catalogue that contains one of
 * their identifiers, or that, by the log, no other user has sent.
 */
export function createOwnDataEraser(options: OwnDataEraserOptions): Eraser {
  const { workspaceId, store, catalogue, engine, clock, valueLengthMax } = options

  /** Counts the values of the users in the part of the log that `newestBatches` looks through. */
  async function ownedValues(wanted: ReadonlySet<string>): Promise<OwnedValues> {
    const counter = new OwnedValueCounter(valueLengthMax)
    const isTheirs = (event: Event): boolean => someKey(event, (key) => wanted.has(key))
    for await (const { events } of newestBatches(store.log, workspaceId, { clock, engine }, isTheirs).batches)
      for (const event of events) counter.add(event)
    return counter.values
  }

  return {
    usersMax: 100,
    async erase(users, signal) {
      const keys = new Set(users.flatMap(keysOfPerson))
      const identifiers = searchedIdentifiers(users)
      // Before their events are gone from the log, so that a call that is repeated still finds what is theirs.
      await catalogue.forget(workspaceId, identifiers, await ownedValues(keys))
      await store.log.forgetUsers(workspaceId, [...keys])
      const underWay = new Set<string>()
      for (const key of keys) {
        signal.throwIfAborted()
        if (!(await engine.erasure.endDeferred(workspaceId, key))) underWay.add(key)
      }
      await engine.kept.forgetSuppressed(workspaceId)
      // Last: what was on its way may have become a letter.
      await store.deadLetters.forgetUsers(workspaceId, [...keys])
      await store.receipts.forget(workspaceId, identifiers)
      await store.wipe()
      return users.map((attributes) =>
        keysOfPerson(attributes).some((key) => underWay.has(key))
          ? { status: 'failed', reason: 'events of the user are still under way to a destination' }
          : { status: 'complete' },
      )
    },
  }
}

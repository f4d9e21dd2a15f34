import type { Eraser } from '@sluice/regulation'
import type { Catalogue } from '@sluice/schema'
import type { Engine } from './engine.ts'
import type { Store } from './ports/store.ts'

export interface OwnDataEraserOptions {
  readonly workspaceId: string
  readonly store: Pick<Store, 'log' | 'deadLetters' | 'receipts' | 'wipe'>
  readonly catalogue: Pick<Catalogue, 'forget'>
  readonly engine: Pick<Engine, 'endDeferred'>
}

/**
 * Deletes what Sluice itself keeps of users, who are suppressed by then: events in the log, delivered or not, events that wait
 * for another try, dead letters, and every receipt, sample and frequent value of the schema catalogue that contains one of
 * their identifiers.
 */
export function createOwnDataEraser({ workspaceId, store, catalogue, engine }: OwnDataEraserOptions): Eraser {
  return {
    usersMax: 100,
    async erase(users, signal) {
      const userIds = [...new Set(users.map(({ userId }) => userId))]
      const identifiers = [...new Set(users.flatMap((attributes) => Object.values(attributes)))]
      await store.log.forgetUsers(workspaceId, userIds)
      await catalogue.forget(workspaceId, identifiers)
      const underWay = new Set<string>()
      for (const userId of userIds) {
        signal.throwIfAborted()
        if (!(await engine.endDeferred(workspaceId, userId))) underWay.add(userId)
      }
      // Last: what was on its way may have become a letter.
      await store.deadLetters.forgetUsers(workspaceId, userIds)
      await store.receipts.forget(workspaceId, identifiers)
      await store.wipe()
      return users.map(({ userId }) =>
        underWay.has(userId)
          ? { status: 'failed', reason: 'events of the user are still under way to a destination' }
          : { status: 'complete' },
      )
    },
  }
}

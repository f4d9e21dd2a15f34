import type { Eraser } from '@sluice/regulation'
import type { Catalogue } from '@sluice/schema'
import type { Engine } from './engine.ts'
import type { Store } from './store.ts'

export interface OwnDataEraserOptions {
  readonly workspaceId: string
  readonly store: Pick<Store, 'log' | 'deadLetters' | 'wipe'>
  readonly catalogue: Pick<Catalogue, 'forget'>
  readonly engine: Pick<Engine, 'endDeferred'>
}

/**
 * Deletes what Sluice itself keeps of users, who are suppressed by then: events in the log, delivered or not, events that wait
 * for another try, dead letters, samples and frequent values of the schema catalogue.
 */
export function createOwnDataEraser({ workspaceId, store, catalogue, engine }: OwnDataEraserOptions): Eraser {
  return {
    usersMax: 100,
    async erase(users, signal) {
      const erasures = []
      for (const { userId } of users) {
        signal.throwIfAborted()
        await store.log.forgetUser(workspaceId, userId)
        await catalogue.forget(workspaceId, userId)
        const hasEnded = await engine.endDeferred(workspaceId, userId)
        // Last: what was on its way may have become a letter.
        await store.deadLetters.forgetUser(workspaceId, userId)
        erasures.push(
          hasEnded
            ? ({ status: 'complete' } as const)
            : ({ status: 'failed', reason: 'events of the user are still under way to a destination' } as const),
        )
      }
      await store.wipe()
      return erasures
    },
  }
}

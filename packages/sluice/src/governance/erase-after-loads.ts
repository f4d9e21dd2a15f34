import type { Clock } from '@sluice/core'
import type { Eraser } from '@sluice/regulation'

/** How often, and for how long, it is looked whether a load is under way. */
const lookMs = 100
const waitMsMax = 10_000

/**
 * Has deletions in a warehouse wait for the load that is under way: it may hold data of the user that it has read before the
 * regulation. Loads that begin later hold none. When it takes long, the deletion is not done, and is tried again later.
 */
export function eraseAfterLoads(eraser: Eraser, isLoadUnderWay: () => Promise<boolean>, clock: Clock): Eraser {
  return {
    usersMax: eraser.usersMax,
    async erase(users, signal, progress) {
      const until = clock.now() + waitMsMax
      while (await isLoadUnderWay()) {
        signal.throwIfAborted()
        if (clock.now() >= until)
          return users.map(() => ({ status: 'accepted', reason: 'a load into the warehouse is under way' }))
        await clock.sleep(lookMs, signal)
      }
      return eraser.erase(users, signal, progress)
    },
  }
}

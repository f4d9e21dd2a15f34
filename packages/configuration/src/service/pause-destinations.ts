import type { Clock } from '@sluice/core'
import type { ConfigurationRecord } from '../records/configuration-record.ts'
import type { ConfigurationStore } from '../records/configuration-store.ts'

/**
 * Pauses destinations in a store, before a configuration is made of it. Those that are paused already stay so, with the
 * reason they have.
 */
export async function pauseDestinations(
  store: ConfigurationStore,
  places: readonly { readonly workspaceId: string; readonly destinationId: string; readonly reason: string }[],
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  while (places.length > 0) {
    const { revision, records } = await store.read()
    const isPaused = (workspaceId: string, id: string): boolean =>
      records.some((each) => each.kind === 'pause' && each.workspaceId === workspaceId && each.id === id)
    const now = clock.now()
    const put = places
      .filter(({ workspaceId, destinationId }) => !isPaused(workspaceId, destinationId))
      .map(
        ({ workspaceId, destinationId: id, reason }): ConfigurationRecord => ({
          workspaceId,
          kind: 'pause',
          id,
          revision: 1,
          createdAt: now,
          updatedAt: now,
          body: { reason },
        }),
      )
    // Another process may have written first.
    if (put.length === 0 || (await store.commit({ put }, revision)) !== undefined) return
  }
}

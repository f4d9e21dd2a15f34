import type { Clock } from '@sluice/core'
import type { ConfigurationStore } from '../records/configuration-store.ts'

/** Id of the workspace of a store that has none. */
const defaultId = 'default'

/** Creates the workspace `default` in a store without workspaces. */
export async function ensureWorkspace(store: ConfigurationStore, clock: Pick<Clock, 'now'>): Promise<void> {
  for (;;) {
    const { revision, records } = await store.read()
    if (records.some(({ kind }) => kind === 'workspace')) return
    const now = clock.now()
    const workspace = { workspaceId: defaultId, kind: 'workspace', id: defaultId, revision: 1, body: {} } as const
    // Another process may have written first.
    await store.commit({ put: [{ ...workspace, createdAt: now, updatedAt: now }] }, revision)
  }
}

import { adminScopes, type Clock, type Random, uuidV4 } from '@sluice/core'
import type { ConfigurationRecord } from '../records/configuration-record.ts'
import type { ConfigurationStore } from '../records/configuration-store.ts'
import { newToken } from './new-token.ts'

/** The variable that sets the admin token of a server without a workspace file, and the name of that token. */
export const adminTokenVariable = 'SLUICE_ADMIN_TOKEN'

/**
 * Makes sure that a store's first workspace has a token with the scope `admin`: the one of the variable
 * `SLUICE_ADMIN_TOKEN` if it is set, else one that is stored, else a new one.
 * @returns the text of a new one, to be printed once.
 */
export async function ensureAdminToken(
  store: ConfigurationStore,
  parts: {
    readonly clock: Pick<Clock, 'now'>
    readonly random: Random
    readonly env: Readonly<Record<string, string | undefined>>
  },
): Promise<string | undefined> {
  for (;;) {
    const { revision, records } = await store.read()
    const workspaceId = records.find(({ kind }) => kind === 'workspace')?.id ?? ''
    const admins = records.filter((record) => record.workspaceId === workspaceId && isAdmin(record))
    const isSet = Boolean(parts.env[adminTokenVariable])
    const ofVariable = admins.find(({ body }) => body['token'] === `env:${adminTokenVariable}`)
    if (isSet ? ofVariable : admins.some((admin) => admin !== ofVariable)) return undefined
    const made = isSet ? undefined : newToken(parts.random)
    const now = parts.clock.now()
    const token = {
      workspaceId,
      kind: 'token',
      id: uuidV4(parts.random),
      revision: 1,
      createdAt: now,
      updatedAt: now,
      body: {
        name: made === undefined ? adminTokenVariable : `admin ${new Date(now).toISOString()}`,
        token: made === undefined ? `env:${adminTokenVariable}` : made.hash,
        scopes: [...adminScopes],
      },
    } as const satisfies ConfigurationRecord
    // Another process may have written first, and then its token is found.
    if ((await store.commit({ put: [token] }, revision)) !== undefined) return made?.text
  }
}

function isAdmin({ kind, body }: ConfigurationRecord): boolean {
  const { scopes } = body
  return kind === 'token' && Array.isArray(scopes) && scopes.includes('admin')
}

import { done, refused } from '../transformation-error.ts'
import type { Transformations } from '../transformations.ts'
import type { TransformationStore } from '../versions/transformation-store.ts'

/** Records and versions of user code, as they are stored. */
export type CodeReads = Pick<Transformations, 'list' | 'find' | 'versions' | 'version'>

export function createCodeReads(store: TransformationStore): CodeReads {
  const find: CodeReads['find'] = async (workspaceId, kind, id) => {
    const found = await store.find(workspaceId, kind, id)
    if (found) return done(found)
    return refused(`${kind}Unknown`, `the workspace has no ${kind} ${id}; GET lists the existing ones`)
  }

  return {
    list: (workspaceId, kind) => store.list(workspaceId, kind),
    find,

    versions: async (workspaceId, kind, id, page) => {
      const found = await find(workspaceId, kind, id)
      if (!found.ok) return found
      const { record } = found.value
      return done((await store.versions(workspaceId, id, page)).map((version) => ({ record, version })))
    },

    version: async (workspaceId, kind, id, versionId) => {
      const found = await store.findVersion(workspaceId, versionId)
      if (found?.record.kind === kind && found.record.id === id) return done(found)
      const record = await find(workspaceId, kind, id)
      return record.ok ? refused('versionUnknown', `${kind} ${id} has no version ${versionId}`) : record
    },
  }
}

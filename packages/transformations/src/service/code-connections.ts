import { importersOf, reconnected } from '../publish/release.ts'
import { done, refused } from '../transformation-error.ts'
import type { Transformations } from '../transformations.ts'
import { type CodeServiceParts, draftsOf } from './code-service-parts.ts'

/** Removes records of user code, and connects destinations with what is published. */
export function createCodeConnections({
  store,
  destinationIds,
  reads,
  publisher,
}: CodeServiceParts): Pick<Transformations, 'remove' | 'connect'> {
  return {
    remove: (workspaceId, kind, id, { ifUnused }) =>
      publisher.rearrange(workspaceId, async (live) => {
        const found = await reads.find(workspaceId, kind, id)
        if (!found.ok) return found
        const { record } = found.value
        if (ifUnused && record.destinationIds.length > 0)
          return refused(
            'transformationInUse',
            `transformation ${id} is connected to ${record.destinationIds.join(', ')}; disconnect it first, or leave ifUnused out`,
            { destinationIds: record.destinationIds },
          )
        const importers = kind === 'library' ? importersOf(record, live.published) : []
        if (importers.length > 0)
          return refused(
            'libraryInUse',
            `library ${id} is imported by published transformations: ${importers.map(({ version }) => version.name).join(', ')}; publish versions that do not import it first`,
            { transformationIds: importers.map((importer) => importer.record.id) },
          )
        return done({ remove: id, value: true as const })
      }),

    connect: (workspaceId, destinationId, id, { validateOnly = false, acceptDraft = false } = {}) =>
      publisher.rearrange(workspaceId, async ({ published }) => {
        if (!destinationIds(workspaceId).includes(destinationId))
          return refused('destinationUnknown', `the workspace has no destination ${destinationId}`)
        if (id !== undefined && !published.some(({ record }) => record.id === id)) {
          const found = await reads.find(workspaceId, 'transformation', id)
          if (!found.ok) return found
          if (!acceptDraft)
            return refused(
              'destinationsNeedPublish',
              `transformation ${id} has no published version; publish one first`,
            )
        }
        const change = reconnected([...published, ...(await draftsOf(store, workspaceId))], destinationId, id)
        return done(validateOnly ? { value: change.value } : change)
      }),
  }
}

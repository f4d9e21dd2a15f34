import { type Clock, identifierText, type Random, uuidV7 } from '@sluice/core'
import { checkRequest, type NewRegulation, type RegulatedWorkspace } from './check-request.ts'
import { type DeletionJob, ownData } from './deletion-job.ts'
import { createHourlyQuota } from './hourly-quota.ts'
import type { Regulation } from './regulation.ts'
import { RegulationError } from './regulation-error.ts'
import type { RegulationPage, RegulationPageRequest, RegulationStore } from './regulation-store.ts'
import type { SuppressionIndex } from './suppression-index.ts'

/**
 * Creates, lists and cancels regulations, and keeps the suppression index in step. Source:
 * packages/docs/api/regulations.md#states.
 */
export interface Regulations {
  /**
   * In force from the next batch after the promise resolved. All users or none.
   * @throws RegulationError, and SuppressionUnavailableError when they are kept but not yet in force.
   */
  create(workspaceId: string, request: NewRegulation): Promise<readonly Regulation[]>
  /**
   * @returns false when the workspace has no such regulation; cancelling twice is fine. @throws
   * SuppressionUnavailableError
   */
  cancel(workspaceId: string, id: string): Promise<boolean>
  find(workspaceId: string, id: string): Promise<Regulation | undefined>
  /** In the order of creation, cancelled ones included; a userId is compared as cleaned text. */
  list(workspaceId: string, page: RegulationPageRequest): Promise<RegulationPage>
}

/** What is to be deleted: at the destinations that were named, else at all of the workspace, and in Sluice itself. */
function jobsOf(
  { id: regulationId, workspaceId, regulationType, attributes, destinationIds }: Regulation,
  { destinations }: RegulatedWorkspace,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): readonly DeletionJob[] {
  if (regulationType !== 'suppress_with_delete') return []
  const now = clock.now()
  const targets = [ownData, ...(destinationIds.length > 0 ? new Set(destinationIds) : destinations.keys())]
  return targets.map((destinationId) => ({
    id: uuidV7(clock, random),
    workspaceId,
    regulationId,
    destinationId,
    attributes,
    status: 'pending',
    attempts: 0,
    dueAt: now,
    updatedAt: now,
  }))
}

export function createRegulations(options: {
  readonly store: RegulationStore
  readonly index: SuppressionIndex
  readonly clock: Clock
  readonly random: Random
  /** Users times destinations that may be deleted within an hour, of one workspace. Default 200,000. */
  readonly deletionsPerHour?: number
  /** Told when there are new deletion jobs. */
  onDeletions?(): void
  /** What a request of this workspace may refer to. */
  workspace(workspaceId: string): RegulatedWorkspace
}): Regulations {
  const { store, index, clock, random, workspace } = options
  const quota = createHourlyQuota(options.deletionsPerHour ?? 200_000, clock)
  return {
    async create(workspaceId, request) {
      const known = workspace(workspaceId)
      const users = checkRequest(request, known)
      const { regulationType, sourceIds = [], destinationIds = [] } = request
      const createdAt = new Date(clock.now()).toISOString()
      const regulations = users.map((attributes): Regulation => {
        const id = uuidV7(clock, random)
        return { id, workspaceId, canceled: false, regulationType, attributes, sourceIds, destinationIds, createdAt }
      })
      const jobs = regulations.flatMap((regulation) => jobsOf(regulation, known, { clock, random }))
      const giveBack = quota.take(workspaceId, jobs.length)
      if (giveBack === undefined)
        throw new RegulationError(
          'deletionsTooMany',
          `${jobs.length} deletions (users times destinations, Sluice itself included) are more than what is left of ${quota.max} in this hour; send fewer users, or come back later`,
        )
      await store.add(regulations, jobs).catch((error: unknown) => {
        giveBack()
        throw error
      })
      await index.catchUp()
      if (jobs.length > 0) options.onDeletions?.()
      return regulations
    },

    async cancel(workspaceId, id) {
      const cancelled = await store.cancel(workspaceId, id)
      // Also when it was cancelled before: the index may have missed it then.
      if (cancelled) await index.catchUp()
      return cancelled !== undefined
    },

    find: (workspaceId, id) => store.find(workspaceId, id),
    list: (workspaceId, { userId, ...page }) =>
      store.list(workspaceId, userId === undefined ? page : { ...page, userId: identifierText(userId) }),
  }
}

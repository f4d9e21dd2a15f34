import { type Clock, type Random, uuidV7 } from '@sluice/core'
import { checkRequest, type NewRegulation, type RegulatedWorkspace } from './check-request.ts'
import type { Regulation } from './regulation.ts'
import type { RegulationPage, RegulationStore } from './regulation-store.ts'
import type { SuppressionIndex } from './suppression-index.ts'

/** Creates, lists and cancels regulations, and keeps the suppression index in step. Source: interface spec 3.2 and 4.2. */
export interface Regulations {
  /**
   * In force from the next batch after the promise resolved. All users or none.
   * @throws RegulationError, and SuppressionUnavailableError when they are kept but not yet in force.
   */
  create(workspaceId: string, request: NewRegulation): Promise<readonly Regulation[]>
  /** @returns false when the workspace has no such regulation; cancelling twice is fine. @throws SuppressionUnavailableError */
  cancel(workspaceId: string, id: string): Promise<boolean>
  /** In the order of creation, cancelled ones included; `after` is the `next` of another page. */
  list(workspaceId: string, page: { readonly after?: number; readonly limit: number }): Promise<RegulationPage>
}

export function createRegulations(options: {
  readonly store: RegulationStore
  readonly index: SuppressionIndex
  readonly clock: Clock
  readonly random: Random
  /** What a request of this workspace may refer to. */
  workspace(workspaceId: string): RegulatedWorkspace
}): Regulations {
  const { store, index, clock, random, workspace } = options
  return {
    async create(workspaceId, request) {
      const users = checkRequest(request, workspace(workspaceId))
      const { regulationType, sourceIds = [], destinationIds = [] } = request
      const createdAt = new Date(clock.now()).toISOString()
      const regulations = users.map((attributes): Regulation => {
        const id = uuidV7(clock, random)
        return { id, workspaceId, canceled: false, regulationType, attributes, sourceIds, destinationIds, createdAt }
      })
      await store.add(regulations)
      await index.catchUp()
      return regulations
    },

    async cancel(workspaceId, id) {
      const cancelled = await store.cancel(workspaceId, id)
      // Also when it was cancelled before: the index may have missed it then.
      if (cancelled) await index.catchUp()
      return cancelled !== undefined
    },

    list: (workspaceId, page) => store.list(workspaceId, page),
  }
}

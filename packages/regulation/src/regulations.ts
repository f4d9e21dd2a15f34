import { type Clock, identifierText, type Random, uuidV7 } from '@sluice/core'
import type { Regulation, RegulationType } from './regulation.ts'
import type { RegulationStore } from './regulation-store.ts'
import type { MutableSuppressionIndex } from './suppression-index.ts'

export interface NewRegulation {
  readonly regulationType: RegulationType
  /** Empty or absent: all sources. Not allowed with `suppress_with_delete`. */
  readonly sourceIds?: readonly string[]
  /** Empty or absent: all destinations. Only allowed with `suppress_with_delete`. */
  readonly destinationIds?: readonly string[]
  /** One or more; each becomes a regulation of its own. */
  readonly users: readonly { readonly userId: string; readonly [identifier: string]: string }[]
}

/** Creates, lists and cancels regulations, and keeps the suppression index in step. Source: interface spec 3.2 and 4.2. */
export interface Regulations {
  /**
   * In force from the next batch after the promise resolved. All users or none.
   * @throws RangeError naming the offending field when the request contradicts itself or a user has no id.
   */
  create(workspaceId: string, request: NewRegulation): Promise<readonly Regulation[]>
  /** @returns false when the workspace has no such regulation; cancelling twice is fine. */
  cancel(workspaceId: string, id: string): Promise<boolean>
  list(workspaceId: string, page: { readonly after?: string; readonly limit: number }): Promise<readonly Regulation[]>
  /** Brings the index in step with the store; to be awaited before the first event of the workspace. */
  load(workspaceId: string): Promise<void>
}

/** How many regulations `load` reads at a time. */
const loadPageSize = 1_000

export function createRegulations(options: {
  readonly store: RegulationStore
  readonly index: MutableSuppressionIndex
  readonly clock: Clock
  readonly random: Random
}): Regulations {
  const { store, index, clock, random } = options
  return {
    async create(workspaceId, request) {
      const { regulationType, sourceIds = [], destinationIds = [], users } = request
      if (regulationType === 'suppress' && destinationIds.length > 0)
        throw new RangeError('destinationIds is not allowed with regulationType suppress; leave it out')
      if (regulationType === 'suppress_with_delete' && sourceIds.length > 0)
        throw new RangeError('sourceIds is not allowed with regulationType suppress_with_delete; leave it out')
      const createdAt = new Date(clock.now()).toISOString()
      const regulations = users.map((user, i): Regulation => {
        const userId = identifierText(user.userId)
        if (userId === '') throw new RangeError(`users[${i}].userId is blank; every user needs one`)
        const id = uuidV7(clock, random)
        const attributes = { ...user, userId }
        return { id, workspaceId, canceled: false, regulationType, attributes, sourceIds, destinationIds, createdAt }
      })
      await store.add(regulations)
      for (const regulation of regulations) index.put(regulation)
      return regulations
    },

    async cancel(workspaceId, id) {
      const cancelled = await store.cancel(workspaceId, id)
      if (cancelled) index.remove(cancelled)
      return cancelled !== undefined
    },

    list: (workspaceId, page) => store.list(workspaceId, page),

    async load(workspaceId) {
      let after: string | undefined
      do {
        const page = await store.list(workspaceId, { limit: loadPageSize, ...(after === undefined ? {} : { after }) })
        for (const regulation of page) if (!regulation.canceled) index.put(regulation)
        after = page.length < loadPageSize ? undefined : page.at(-1)?.id
      } while (after !== undefined)
    },
  }
}

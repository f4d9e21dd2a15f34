import { type Clock, identifierText, type Random, uuidV7, uuidV7From } from '@sluice/core'
import { hashText } from '@sluice/core/hash'
import { nextTurn } from '@sluice/core/next-turn'
import { type DeletionJob, ownData } from './deletion/deletion-job.ts'
import type { Ledger, LedgerReport } from './ledger/ledger.ts'
import { recordKey } from './ledger/ledger-record.ts'
import { needsIds, needsKey } from './ledger/restore/fill-in-ids.ts'
import { hasNoIds } from './ledger/restore/find-stored.ts'
import type { Regulation } from './regulation.ts'
import type { RegulationPage, RegulationPageRequest, RegulationStore } from './regulation-store.ts'
import { checkRequest, type NewRegulation, type RegulatedWorkspace } from './requests/check-request.ts'
import { createRefusals } from './requests/refusals.ts'
import { RegulationError } from './requests/regulation-error.ts'
import { type SuppressionIndex, SuppressionUnavailableError } from './suppression/suppression-index.ts'
import type { UserAliases } from './suppression/user-aliases.ts'
import { workspacePages } from './workspace-pages.ts'

export interface RegulationListRequest extends Pick<RegulationPageRequest, 'after' | 'limit'> {
  /** Only regulations of this user, compared as cleaned text. Absent: of all users. */
  readonly userId?: string
}

/**
 * Creates, lists and cancels regulations, and updates the suppression index. Source:
 * packages/docs/api/regulations.md#states.
 */
export interface Regulations {
  /**
   * Creates a regulation for each user, or none at all. They are in force from the next batch after the promise
   * resolves.
   * @throws RegulationError, or SuppressionUnavailableError when they are stored but not yet in force.
   */
  create(workspaceId: string, request: NewRegulation): Promise<readonly Regulation[]>
  /**
   * @returns false when the workspace has no such regulation. Repeating the call is fine.
   * @throws SuppressionUnavailableError
   */
  cancel(workspaceId: string, id: string): Promise<boolean>
  find(workspaceId: string, id: string): Promise<Regulation | undefined>
  /** Lists regulations in order of creation, cancelled ones included. */
  list(workspaceId: string, page: RegulationListRequest): Promise<RegulationPage>
  /** Returns the regulations of users that are in force, by the `userId`, which is compared as cleaned text. */
  activeOf(workspaceId: string, userIds: readonly string[]): Promise<readonly Regulation[]>
  /**
   * Orders the deletions of regulations that were put back from the ledger, unless they were ordered before. Without
   * their ids nothing can be deleted: these jobs wait while the ids are locked, and are aborted when nothing has them.
   */
  deleteAgain(found: Pick<LedgerReport, 'toDelete' | 'locked'>): Promise<void>
}

/**
 * Returns the deletion jobs of a regulation: for Sluice itself and for each named destination, or for every destination
 * of the workspace when none is named.
 */
function jobsOf(
  regulation: Regulation,
  known: RegulatedWorkspace,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): readonly DeletionJob[] {
  const { id: regulationId, workspaceId, attributes } = regulation
  const now = clock.now()
  return targetsOf(regulation, known).map((destinationId) => ({
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

/** Returns where the data of a user is deleted. */
function targetsOf(
  { regulationType, destinationIds }: Pick<Regulation, 'regulationType' | 'destinationIds'>,
  { destinations }: RegulatedWorkspace,
): readonly string[] {
  if (regulationType !== 'suppress_with_delete') return []
  return [ownData, ...(destinationIds.length > 0 ? new Set(destinationIds) : destinations.keys())]
}

/**
 * Returns the id of a job that is ordered again: always the same, because several processes may order it at the same time,
 * and a store keeps one job of an id. It has the time of the regulation, like other ids that sort by time.
 */
function idAgain({ workspaceId, regulationId, destinationId }: DeletionJob): string {
  const hex = hashText('sha256', JSON.stringify([workspaceId, regulationId, destinationId]))
  return `${regulationId.slice(0, 13)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`
}

const hourMs = 3_600_000
/** Jobs that are made before others have their turn: some milliseconds. */
const jobsPerTurn = 5_000
/** Regulations whose deletions are ordered again at a time. */
const regulationsPerTurn = 1_000

export function createRegulations(options: {
  readonly store: RegulationStore
  readonly index: SuppressionIndex
  /** Where each regulation is kept a second time before it is answered. Absent: a store that is restored forgets. */
  readonly ledger?: Pick<Ledger, 'regulate' | 'cancel' | 'place'> | undefined
  readonly clock: Clock
  readonly random: Random
  /** Limit on users times destinations to delete within an hour, per workspace. Default 200,000. */
  readonly deletionsPerHour?: number
  /** Resolves when a change that is stored is in force in all processes that share the store; default in this one only. */
  everywhere?(): Promise<void>
  /** Returns the aliases of users: see `createSuppressionIndex`. */
  aliases?(): UserAliases | undefined
  /** Called when there are new deletion jobs. */
  onDeletions?(): void
  /** Returns the sources and destinations that requests of this workspace may name. */
  workspace(workspaceId: string): RegulatedWorkspace
}): Regulations {
  const { store, index, ledger, clock, random, workspace } = options
  const max = options.deletionsPerHour ?? 200_000
  const refusals = createRefusals(clock)
  const jobsAgain = (regulation: Regulation, isLocked: boolean): readonly DeletionJob[] => {
    const ordered = jobsOf(regulation, workspace(regulation.workspaceId), { clock, random })
    const jobs = ordered.map((job) => ({ ...job, id: idAgain(job) }))
    if (!hasNoIds(regulation)) return jobs
    const state = isLocked
      ? ({ status: 'waiting', reason: needsKey } as const)
      : ({ status: 'aborted', reason: needsIds } as const)
    return jobs.map((job) => ({ ...job, ...state }))
  }
  /** Regulations that were put back without ids are found by what stands for the id. */
  const userOf = (workspaceId: string, userId: string): Pick<RegulationPageRequest, 'userId' | 'alias'> => {
    const id = identifierText(userId)
    const alias = id === '' ? undefined : options.aliases?.()?.of(workspaceId, id)
    return { userId: id, alias }
  }
  const inForce = async (): Promise<void> => {
    const everywhere = options.everywhere?.().catch((cause: unknown) => {
      throw new SuppressionUnavailableError('the regulations are kept, but not yet in force in all processes', {
        cause,
      })
    })
    await Promise.all([index.catchUp(), everywhere])
  }
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
      const count = users.length * targetsOf({ regulationType, destinationIds }, known).length
      const tooMany = (): RegulationError =>
        new RegulationError(
          'deletionsTooMany',
          `${count} deletions (users times destinations, Sluice itself included) exceed what is left of the ${max} allowed per hour; send fewer users, or try again later`,
        )
      // Counted once a second: a flood that is refused must not keep the store busy.
      if (count > max || refusals.has(workspaceId, count)) throw tooMany()
      const jobs: DeletionJob[] = []
      let turnsAt = jobsPerTurn
      for (const regulation of regulations) {
        for (const job of jobsOf(regulation, known, { clock, random })) jobs.push(job)
        if (jobs.length < turnsAt) continue
        turnsAt = jobs.length + jobsPerTurn
        await new Promise<void>((resolve) => nextTurn(resolve))
      }
      const limit = { workspaceId, fromId: uuidV7From(clock.now() - hourMs + 1), max }
      const add = (): Promise<boolean> => store.add(regulations, jobs, limit)
      if (!(await (ledger ? ledger.regulate(regulations, add) : add()))) {
        refusals.add(workspaceId, count)
        throw tooMany()
      }
      await inForce()
      if (jobs.length > 0) options.onDeletions?.()
      return regulations
    },

    async cancel(workspaceId, id) {
      const cancel = (): Promise<Regulation | undefined> => store.cancel(workspaceId, id)
      const cancelled = await (ledger ? ledger.cancel(workspaceId, id, cancel) : cancel())
      // Also after a repeated call, because the index may have missed the first cancellation.
      if (cancelled) await inForce()
      return cancelled !== undefined
    },

    async deleteAgain({ toDelete, locked }) {
      let hasOrdered = false
      for (const { workspaceId, page } of workspacePages(toDelete, regulationsPerTurn)) {
        const ids = page.map(({ id }) => id)
        const ordered = await store.deletions.ordered(workspaceId, ids)
        const jobs = page
          .filter(({ id }) => !ordered.has(id))
          .flatMap((regulation) => jobsAgain(regulation, locked.has(recordKey(regulation))))
        if (jobs.length > 0) await store.add([], jobs)
        hasOrdered ||= jobs.length > 0
      }
      if (hasOrdered) options.onDeletions?.()
    },

    find: (workspaceId, id) => store.find(workspaceId, id),
    list: (workspaceId, { userId, ...page }) =>
      store.list(workspaceId, userId === undefined ? page : { ...page, ...userOf(workspaceId, userId) }),
    activeOf: (workspaceId, userIds) =>
      store.activeOf(
        workspaceId,
        userIds.flatMap((userId) => {
          const { userId: id, alias } = userOf(workspaceId, userId)
          return [id, alias].filter((each) => each !== undefined)
        }),
      ),
  }
}

import type { BodyBudget } from '@sluice/http'
import type { BudgetUsage, Store, Tap } from '@sluice/pipeline'
import type { Observers } from '@sluice/schema'

interface UsageParts {
  readonly store: Pick<Store, 'deadLetters' | 'receipts' | 'log'>
  readonly observers: Pick<Observers, 'memory'>
  readonly tap: Pick<Tap, 'watchers'>
  readonly bodies: BodyBudget
  /** Number of workspaces. */
  workspaces(): number
}

/** Creates what reports how much of each shared budget a workspace uses. */
export function createUsage({ store, observers, tap, bodies, workspaces }: UsageParts) {
  /** A budget where the largest workspace loses its oldest entries, so that an equal part is safe for each. */
  const equalParts = (budget: string, unit: BudgetUsage['unit'], used: number, limit: number): BudgetUsage => ({
    budget,
    unit,
    used,
    limit,
    reserved: Math.floor(limit / Math.max(1, workspaces())),
  })
  const bodiesOf = (workspaceId: string): BudgetUsage =>
    equalParts('bodies', 'bytes', bodies.held(workspaceId), bodies.bytesMax)
  const tapsOf = (workspaceId: string): BudgetUsage => {
    const { held, limit } = tap.watchers(workspaceId)
    return equalParts('taps', 'count', held, limit)
  }
  const valuesOf = (workspaceId: string): BudgetUsage => {
    const { held, limit, reserved } = observers.memory(workspaceId)
    return { budget: 'schemaValues', unit: 'bytes', used: held, limit, reserved: Math.floor(reserved) }
  }
  return {
    /** Returns the use of the budgets that are of the memory of this process. */
    inMemory: (workspaceId: string): readonly BudgetUsage[] => [
      bodiesOf(workspaceId),
      tapsOf(workspaceId),
      valuesOf(workspaceId),
    ],
    async all(workspaceId: string): Promise<readonly BudgetUsage[]> {
      const [letters, receipts, log] = await Promise.all([
        store.deadLetters.usage(workspaceId),
        store.receipts.count(workspaceId),
        store.log.usage(workspaceId),
      ])
      const { lettersMax, bytesMax } = store.deadLetters.limits
      return [
        bodiesOf(workspaceId),
        {
          budget: 'log',
          unit: 'bytes',
          used: log.bytes,
          ...(log.budget ? { limit: log.budget.bytes, reserved: log.budget.reserved } : {}),
        },
        equalParts('deadLetters', 'count', letters.letters, lettersMax),
        equalParts('deadLetterBytes', 'bytes', letters.bytes, bytesMax),
        equalParts('receipts', 'count', receipts, store.receipts.receiptsMax),
        tapsOf(workspaceId),
        valuesOf(workspaceId),
      ]
    },
  }
}

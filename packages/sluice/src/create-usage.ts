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

/** Creates a function that reports how much of each shared budget a workspace uses. */
export function createUsage({ store, observers, tap, bodies, workspaces }: UsageParts) {
  /** A budget where the largest workspace loses its oldest entries, so that an equal part is safe for each. */
  const equalParts = (budget: string, unit: BudgetUsage['unit'], used: number, limit: number): BudgetUsage => ({
    budget,
    unit,
    used,
    limit,
    reserved: Math.floor(limit / Math.max(1, workspaces())),
  })
  return async (workspaceId: string): Promise<readonly BudgetUsage[]> => {
    const [letters, receipts, log] = await Promise.all([
      store.deadLetters.usage(workspaceId),
      store.receipts.count(workspaceId),
      store.log.usage(workspaceId),
    ])
    const { lettersMax, bytesMax } = store.deadLetters.limits
    const watchers = tap.watchers(workspaceId)
    const memory = observers.memory(workspaceId)
    return [
      equalParts('bodies', 'bytes', bodies.held(workspaceId), bodies.bytesMax),
      {
        budget: 'log',
        unit: 'bytes',
        used: log.bytes,
        ...(log.budget ? { limit: log.budget.bytes, reserved: log.budget.reserved } : {}),
      },
      equalParts('deadLetters', 'count', letters.letters, lettersMax),
      equalParts('deadLetterBytes', 'bytes', letters.bytes, bytesMax),
      equalParts('receipts', 'count', receipts, store.receipts.receiptsMax),
      equalParts('taps', 'count', watchers.held, watchers.limit),
      {
        budget: 'schemaValues',
        unit: 'bytes',
        used: memory.held,
        limit: memory.limit,
        reserved: Math.floor(memory.reserved),
      },
    ]
  }
}

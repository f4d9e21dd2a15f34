import type { BudgetUsage } from '@sluice/pipeline'
import type { Sample } from './metric-table.ts'

/**
 * Returns the use of budgets in all processes of a server: of the store as one of them reads it, and of memory the sums.
 * @param own as the process that answers has it.
 * @param joined figures of all processes.
 */
export function usageOfAll(
  own: readonly BudgetUsage[],
  joined: readonly Sample[],
  workspaceId: string,
): readonly BudgetUsage[] {
  const found = new Map<string, number>()
  for (const { name, labels, value } of joined)
    if (labels['workspace'] === workspaceId) found.set(`${name} ${labels['budget']}`, value)
  return own.map((usage) => {
    const { budget, used, limit, reserved } = usage
    const of = (name: string, value: number): number => found.get(`${name} ${budget}`) ?? value
    return {
      ...usage,
      used: of('sluice_budget_used', used),
      ...(limit === undefined ? {} : { limit: of('sluice_budget_limit', limit) }),
      ...(reserved === undefined ? {} : { reserved: of('sluice_budget_reserved', reserved) }),
    }
  })
}

import type { BudgetUsage } from '@sluice/pipeline'
import type { Sample } from '../metric-table.ts'

/** Returns what a workspace uses of each budget. */
export function budgetSamples(workspace: string, budgets: readonly BudgetUsage[]): readonly Sample[] {
  return budgets.flatMap(({ budget, unit, used, limit, reserved }): readonly Sample[] => {
    const labels = { workspace, budget, unit }
    return [
      { name: 'sluice_budget_used', labels, value: used },
      ...(limit === undefined ? [] : [{ name: 'sluice_budget_limit', labels, value: limit }]),
      ...(reserved === undefined ? [] : [{ name: 'sluice_budget_reserved', labels, value: reserved }]),
    ]
  })
}

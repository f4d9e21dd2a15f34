/** How much of one budget a workspace uses. */
export interface BudgetUsage {
  readonly budget: string
  readonly unit: 'bytes' | 'count'
  readonly used: number
  /** What all workspaces may use together; absent where there is no limit. */
  readonly limit?: number
  /** What the workspace can always use, whatever the others do; absent where there is no limit. */
  readonly reserved?: number
}

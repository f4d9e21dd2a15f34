import { CliError } from '../../cli-error.ts'
import { confirm } from '../../terminal/confirm.ts'
import { printLine } from '../../terminal/print-line.ts'
import { applyPlan } from './apply-plan.ts'
import { countsText, planJson, planText } from './plan-text.ts'
import { hasChanges, type PlanFlags, planWorkspace } from './workspace-plan.ts'

export interface ApplyFlags extends PlanFlags {
  readonly yes?: true
}

/** Runs `sluice plan`. Exit status 2 when there is something to do. */
export async function runPlan(path: string, flags: PlanFlags): Promise<void> {
  const plan = await planWorkspace(path, flags)
  if (hasChanges(plan)) process.exitCode = 2
  printLine(flags.json ? JSON.stringify(planJson(plan), null, 2) : planText(plan))
}

/** Runs `sluice apply`: shows the plan, asks, and carries it out. */
export async function runApply(path: string, flags: ApplyFlags): Promise<void> {
  const plan = await planWorkspace(path, flags)
  if (!flags.json) printLine(planText(plan))
  if (hasChanges(plan)) {
    if (!flags.yes && !(await confirm(`Apply this to workspace ${plan.workspaceId} at ${flags.url}?`)))
      throw new CliError('nothing was changed')
    await applyPlan(flags, plan)
  }
  if (flags.json) return printLine(JSON.stringify({ ...planJson(plan), applied: hasChanges(plan) }, null, 2))
  printLine(hasChanges(plan) ? `applied: ${countsText(plan, true)}` : `nothing to do at ${flags.url}`)
}

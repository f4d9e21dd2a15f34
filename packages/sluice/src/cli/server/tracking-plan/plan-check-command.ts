import { Command } from 'commander'
import { wholeNumber } from '../../flags/whole-number.ts'
import { withServerFlags } from '../ask-server.ts'
import type { PlanCheckFlags } from './run-plan-check.ts'

/** `sluice plan check`: what a tracking plan finds in events, before it is enforced. */
export function planCheckCommand(): Command {
  return withServerFlags(new Command('check'), 'the report as one JSON value')
    .description('check events by a tracking plan, before it is enforced')
    .argument('<plan>', 'file of a tracking plan or of a source that has one, or a workspace: a file or folder')
    .option('--events <file.ndjson>', 'events, one JSON object per line; - reads standard input (default: the log)')
    .option('--source <id>', 'source of the server whose events are checked; of a workspace, the one with the plan')
    .option('--event <name>', 'only events of this name')
    .option('--limit <number>', 'most events of the log, the newest first; at most 50000', wholeNumber, 10_000)
    .option('--markdown', 'print the report for a pull request')
    .addHelpText(
      'after',
      `
Violations are grouped by event, key and rule. Each group has the first event that has it; its value is masked where it is
personal data. Nothing is sent, stored or counted. Events of suppressed users take no part. The token needs the scope
operate.

The exit status is 1 when there are violations, 2 when something is wrong, 0 otherwise.

Examples:
  sluice plan check plan.json --source web
  sluice plan check plan.json --events day.ndjson --markdown
  sluice plan check workspace.yaml --source web --event 'Order Completed' --json`,
    )
    .action(async (path: string, flags: PlanCheckFlags) =>
      (await import('./run-plan-check.ts')).runPlanCheck(path, flags),
    )
}

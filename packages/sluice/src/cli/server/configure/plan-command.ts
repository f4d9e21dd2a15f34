import { Command } from 'commander'
import { withServerFlags } from '../ask-server.ts'
import { planCheckCommand } from '../tracking-plan/plan-check-command.ts'
import { planInferCommand } from '../tracking-plan/plan-infer-command.ts'
import type { ApplyFlags } from './run-plan.ts'
import type { PlanFlags } from './workspace-plan.ts'

/** `sluice plan`: compares a workspace file with a server. Its subcommands are about tracking plans. */
export function planCommand(): Command {
  return (
    withPlanFlags(new Command('plan'))
      .description('show what a workspace file or folder would change on a server')
      .addHelpText(
        'after',
        `
Sources, destinations, connections, credentials, access tokens, and the code of transformations and libraries are
compared. Values of secrets are never shown. What only the server has is left alone, unless --prune is given. The server
checks the whole plan. The token needs the scopes read, write and operate; for access tokens, and for the name of the
workspace, admin.

The exit status is 0 when there is nothing to do, 2 when there are changes, 1 when something is wrong.

sluice plan infer and sluice plan check are about tracking plans. A folder of that name is written ./infer or ./check.

Examples:
  sluice plan workspace.yaml
  sluice plan configuration --prune --json`,
      )
      .action(async (path: string, flags: PlanFlags) => (await import('./run-plan.ts')).runPlan(path, flags))
      // Options behind a subcommand are its own.
      .enablePositionalOptions()
      .addCommand(planInferCommand())
      .addCommand(planCheckCommand())
  )
}

/** `sluice apply`: changes a server to what a workspace file says. */
export function applyCommand(): Command {
  return withPlanFlags(new Command('apply'))
    .description('change a server to what a workspace file or folder says')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `
Shows the plan, and carries it out after you confirm. Parts change together, or not at all, and never over a change that
someone else made since the plan. Code is published first; the server tests it. When something fails, the error says what
was done, and the next run continues. sluice plan --help says more.

Examples:
  sluice apply workspace.yaml
  sluice apply configuration --yes            # in CI, with SLUICE_URL and SLUICE_TOKEN
  sluice apply workspace.yaml --prune --profile staging`,
    )
    .action(async (path: string, flags: ApplyFlags) => (await import('./run-plan.ts')).runApply(path, flags))
}

function withPlanFlags(command: Command): Command {
  return withServerFlags(command, 'one JSON object')
    .argument('<path>', 'workspace file, JSON or YAML, or a folder with one or with the files of rudder-cli')
    .option('--prune', 'delete what only the server has, access tokens and code excepted')
    .option('--force', 'delete destinations for which events wait; these become dead letters')
    .option('--keep-secrets', "keep the server's secret where a variable is not set (default: stop)")
    .option('--no-tokens', 'leave access tokens out')
    .option('--workspace <id>', "workspace of the file, when its id is not that of the token's workspace")
}

import { Command } from 'commander'
import { addressRangeOption } from '../flags/address-range.ts'
import type { RunCheckFlags } from './configure/run-check.ts'

/** `sluice check`: validates a workspace file without serving it. */
export function checkCommand(): Command {
  return new Command('check')
    .description('check a workspace file: every problem with its line, its value and what is allowed')
    .argument('<path>', 'workspace file, JSON or YAML, or a folder with one or with the files of rudder-cli')
    .addOption(addressRangeOption())
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Checks what sluice serve would refuse: the form, the settings of each destination, references, and whether code loads.
Notes go to standard error: settings that a type does not have, parts of a project of rudder-cli without a counterpart,
variables (env:NAME) that are not set, and addresses of destinations that are not public and that no --allow-address
allows: nothing would be sent there.

The exit status is 2 when there is a problem, 0 otherwise.

Examples:
  sluice check workspace.yaml
  sluice check configuration/ --json`,
    )
    .action(async (path: string, flags: RunCheckFlags) =>
      (await import('./configure/run-check.ts')).runCheck(path, flags),
    )
}

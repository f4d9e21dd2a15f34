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
    .option(
      '--lenient',
      'accept settings that a destination type does not have, with a note, as lenient: true in the file does',
    )
    .addHelpText(
      'after',
      `
Checks what sluice serve would refuse: the form, the settings of each destination, references, and whether code loads.
Problems come in the order of lines. A setting that its type does not have is one, because it would have no effect; with
--lenient, with lenient: true in the workspace, and in files of RudderStack it is a note. Notes go to standard error:
these settings, parts of a project of rudder-cli without a counterpart, variables (env:NAME) that are not set, and
addresses of destinations that are not public and that no --allow-address allows: nothing would be sent there.

The exit status is 2 when there is a problem, 0 otherwise.

Examples:
  sluice check workspace.yaml
  sluice check configuration/ --json`,
    )
    .action(async (path: string, flags: RunCheckFlags) =>
      (await import('./configure/run-check.ts')).runCheck(path, flags),
    )
}

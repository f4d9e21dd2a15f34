import { Command, Option } from 'commander'
import { withCredentialFlags } from '../flags/credential-flags.ts'
import { withDestinationFlags } from '../flags/destination-flags.ts'
import { withSandboxFlags } from '../flags/sandbox-flags.ts'
import { timeOrAge } from '../flags/time-or-age.ts'
import { wholeNumber } from '../flags/whole-number.ts'
import type { DiffFlags } from './run-diff.ts'

/** `sluice diff`: what a change would do to events, before it is published. */
export function diffCommand(): Command {
  const command = new Command('diff')
    .description('run events through two versions, and show how what leaves would differ; nothing is sent')
    .argument('<before>', 'file of a transformation, or a workspace: a YAML or JSON file, or a folder')
    .argument('[after]', 'the same after the change; left out with --save and --against')
    .option('--save <file>', 'write what leaves, as a baseline for --against; it has secrets and personal data')
    .option('--against <file>', 'compare with a baseline, which another release may have saved')
    .option('--events <file.ndjson>', 'events, one JSON object per line; - reads standard input')
    .option('--from <url|profile>', 'or events of the log of this server, the newest, personal data masked')
    .addOption(new Option('--token <token>', 'access token of the server').env('SLUICE_TOKEN'))
    .option(
      '--source <id>',
      'with --from: only events of this source; with workspaces: only destinations connected to it',
    )
    .option('--of-destination <id>', 'with --from: only events that were accepted for this destination')
    .option('--event <name>', 'with --from: only events of this name')
    .option('--from-time <time>', 'with --from: received at or after: ISO 8601, or 90m, 24h, 7d ago', timeOrAge)
    .option('--to-time <time>', 'with --from: and before; same formats', timeOrAge)
    .option('--sample <n>', 'with --from: most events, up to 10,000 (default: 500)', wholeNumber)
    .option('--now <time>', 'time that both versions see (default: now)')
    .option('--accept <file>', 'groups that are known, one a line: they do not count; "accepted" lines of a report')
    .option('--markdown <file>', 'write a report for a pull request; - prints it')
    .option('--html <file>', 'write a report as one page, which works offline')
    .option('--show-personal-data', 'show values of examples as they are; masked by default')
    .option('--json', 'print the report as one JSON value')
  return withSandboxFlags(withCredentialFlags(withDestinationFlags(command)))
    .addHelpText(
      'after',
      `
Both versions see the same time and the same randomness, and their fetch gets no answers. Differences are grouped by place
and kind, with the smallest event of each group as its example. With transformations, --destination compares the requests
that are made of their outputs. With workspaces, each destination that is enabled is compared: its code, its type and its
settings, the tracking plans of its sources and the settings of its connections.

The exit status is 1 when there is a group that is not accepted, 2 when something is wrong, 0 otherwise.

Examples:
  sluice diff old/orders.ts transformations/orders.ts --events events/orders.ndjson
  sluice diff old.js new.js --events - --destination webhook --settings '{"webhookUrl":"https://hook.test/in"}' < events.ndjson
  sluice diff old.js new.js --from https://sluice.shop.test --event 'Order Completed' --from-time 24h --sample 5000
  sluice diff workspace.yaml --events day.ndjson --save day.baseline; npx sluice@next diff workspace.yaml --events day.ndjson --against day.baseline
  git worktree add ../main main && sluice diff ../main/workspace.yaml workspace.yaml --events day.ndjson --markdown -`,
    )
    .action(async (before: string, after: string | undefined, flags: DiffFlags) =>
      (await import('./run-diff.ts')).runDiff(before, after, flags),
    )
}

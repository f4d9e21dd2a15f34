import { Command } from 'commander'
import { withCredentialFlags } from '../flags/credential-flags.ts'
import { withDestinationFlags } from '../flags/destination-flags.ts'
import { repeatableOption } from '../flags/repeatable-option.ts'
import { withSandboxFlags } from '../flags/sandbox-flags.ts'
import type { RunFlags } from './run-events.ts'

/** `sluice run`: runs a file of events through the production stages, offline, without sending. */
export function runCommand(): Command {
  const command = new Command('run')
    .description('run events through a transformation and a destination mapping, offline; one JSON line per event')
    .requiredOption('--events <file.ndjson>', 'events, one JSON object per line; - reads standard input')
    .option('--transformation <code>', 'file of the transformation; it can import the libraries of its project')
    .addOption(repeatableOption('--library <name=file>', 'another library, with the name it is imported by'))
    .option('--load', 'load the events into the --destination, a warehouse, instead of printing what would be sent')
  return withSandboxFlags(withCredentialFlags(withDestinationFlags(command)))
    .addHelpText(
      'after',
      `
Each line: {index, messageId, outcome: passed | dropped | failed | rejected, output | requests, reason, error, line}. line
is there for failed and rejected events. Secrets of the settings are masked. Standard error gets what user code logs, and
a summary.
With --load, events are completed as the server completes them when they arrive, and keep their own times: receivedAt is
the one of the file, else sentAt, timestamp or originalTimestamp. Rows replace those with the same id unless the loadMode
is append, so that a file can be loaded again after an interruption. An event without messageId gets one made of its line.
The exit status is 1 when an event failed or was rejected, 0 otherwise.

Examples:
  sluice run --events events/orders.ndjson --transformation transformations/orders.ts
  sluice run --events events.ndjson --transformation mask.js --library pii=pii.js
  sluice run --events events.ndjson --transformation enrich.js --credential api_key=env:API_KEY
  grep '"Order' events.ndjson | sluice run --events - --transformation transformations/orders.ts > orders.out
  sluice run --events events.ndjson --destination webhook --settings '{"webhookUrl":"https://hook.test/in"}'
  sluice run --events events.ndjson --destination duckdb --settings '{"path":"events.duckdb"}' --load`,
    )
    .action(async (flags: RunFlags) =>
      flags.load
        ? (await import('./load-events.ts')).loadEvents(flags)
        : (await import('./run-events.ts')).runEvents(flags),
    )
}

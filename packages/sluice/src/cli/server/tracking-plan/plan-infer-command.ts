import { Command, Option } from 'commander'
import { wholeNumber, wholeNumberOrZero } from '../../flags/whole-number.ts'
import { withServerFlags } from '../ask-server.ts'
import type { InferFlags } from './run-infer.ts'
import { share } from './share.ts'

/** `sluice plan infer`: a tracking plan from the events that were seen. */
export function planInferCommand(): Command {
  return withServerFlags(new Command('infer'), 'one JSON object: the plan, what was seen too rarely, and changes')
    .description('make a tracking plan of the events that were seen')
    .option(
      '--events <file.ndjson>',
      'events, one JSON object per line; - reads standard input (default: the catalogue)',
    )
    .option('--source <id>', 'only events of this source of the server')
    .option('--required-from <share>', 'share of events from which a key is required', share, 0.99)
    .option('--min-events <number>', 'events of a name that are needed to plan it', wholeNumber, 10)
    .option('--enum-max <number>', 'most values that are listed as the only ones; 0 lists none', wholeNumberOrZero, 10)
    .option('--closed', 'keys that were not seen violate the plan')
    .option('--merge <file>', 'add to this plan, and show what differs from it')
    .option('--merge-source <id>', 'with a workspace as --merge: the source with the plan')
    .option('--weaken', 'with --merge: relax what events did not meet')
    .addOption(
      new Option('--format <form>', 'form of the plan').choices(['sluice', 'segment', 'rudder-cli']).default('sluice'),
    )
    .option('--out <path>', 'write it to this file; with rudder-cli, to files in this folder')
    .addHelpText(
      'after',
      `
The plan describes properties and traits: types, formats (email, uuid, date, date-time, uri), which keys are required, and
texts with few values. Keys with personal data are marked with x-pii, and list no values. Violations are marked, and other
events pass, until you change that.

From the catalogue, presence is exact, and values are those it keeps: formats come from samples and frequent values. It
needs the scopes read and operate. From a file, all is exact.

--merge never relaxes what the plan demands, unless --weaken says so: what differs is shown on standard error.

Examples:
  sluice plan infer --events day.ndjson > plan.json
  sluice plan infer --source web --required-from 1 --out plan.json
  sluice plan infer --events day.ndjson --merge plan.json --out plan.json
  sluice plan infer --events day.ndjson --format segment`,
    )
    .action(async (flags: InferFlags) => (await import('./run-infer.ts')).runInfer(flags))
}

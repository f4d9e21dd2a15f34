import { Command, Option } from 'commander'
import { wholeNumber } from '../../flags/whole-number.ts'
import { withServerFlags } from '../ask-server.ts'
import type { TypesFlags } from './run-types.ts'
import { share } from './share.ts'

/** `sluice types`: types of programming languages for a tracking plan, or for the events that were seen. */
export function typesCommand(): Command {
  return withServerFlags(new Command('types'), 'one JSON object: the code')
    .description('make types for events, and a track that accepts only these: TypeScript, Kotlin or Swift')
    .argument('[plan]', 'file of a tracking plan or of a source that has one, or a workspace (default: what was seen)')
    .option('--events <file.ndjson>', 'without a plan: events, one JSON object per line; - reads standard input')
    .option('--source <id>', 'source of the server; of a workspace, the one with the plan')
    .option('--required-from <share>', 'without a plan: share of events from which a key is required', share, 0.99)
    .option('--min-events <number>', 'without a plan: events of a name that are needed', wholeNumber, 10)
    .addOption(
      new Option('--language <name>', 'language').choices(['typescript', 'kotlin', 'swift']).default('typescript'),
    )
    .addOption(
      new Option('--target <sdk>', 'TypeScript: which calls of SDKs').choices(['browser', 'node']).default('browser'),
    )
    .option('--package <name>', 'Kotlin: package of the file')
    .option('--out <file>', 'write it to this file (default: print it)')
    .option('--check', 'with --out: change nothing, and show how the file would differ')
    .addHelpText(
      'after',
      `
The same plan results in the same code, so that the file can be committed. Without a plan, one is inferred from --events or
from the catalogue of the server, as sluice plan infer does.

TypeScript has typedAnalytics(sdk): its track accepts the names and properties of the plan. Kotlin has data classes with
toMap, Swift has structs with dictionary, for the calls of any SDK.

With --check, the exit status is 1 when the file is out of date, 2 when something is wrong, 0 otherwise.

Examples:
  sluice types plan.json --out src/events.ts
  sluice types plan.json --out src/events.ts --check    # in CI
  sluice types workspace.yaml --source app --language kotlin --package shop.events --out Events.kt
  sluice types --events day.ndjson --target node`,
    )
    .action(async (plan: string | undefined, flags: TypesFlags) =>
      (await import('./run-types.ts')).runTypes(plan, flags),
    )
}

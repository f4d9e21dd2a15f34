import { Command, Option } from 'commander'
import { addressRangeOption } from '../flags/address-range.ts'
import { completeTypes } from '../flags/completed-values.ts'
import { destinationPackageOption } from '../flags/destination-flags.ts'
import { repeatableOption } from '../flags/repeatable-option.ts'
import { wholeNumber } from '../flags/whole-number.ts'
import type { CheckFlags } from './check-destinations.ts'
import { kinds } from './destination-kind.ts'
import type { TypeFlags } from './known-types.ts'
import type { ListFlags } from './list-types.ts'

/** `sluice destination-types`: the destination types that are known here. */
export function destinationTypesCommand(): Command {
  const list = withTypeFlags(new Command('list'))
    .description('list destination types: the built-in ones, and those of packages')
    .argument('[words...]', 'only types whose name contains all these words')
    .addOption(new Option('--kind <kind>', 'only types of this kind').choices(kinds))
    .option('--json', 'print a JSON list')
    .addHelpText(
      'after',
      `
Kinds: native types are built in; segment are Segment's definitions, by @sluice/segment-actions; own are yours.
A preset is a mapping that applies without further settings.

Examples:
  sluice destination-types list
  sluice destination-types list crm --workspace workspace.yaml
  sluice destination-types list --kind segment --destination-package @sluice/segment-actions --json`,
    )
    .action((words: readonly string[], flags: ListFlags) =>
      withCliErrors(async () => (await import('./list-types.ts')).listTypes(words, flags)),
    )
  const show = withTypeFlags(new Command('show'))
    .description('show the settings, actions and presets of a destination type')
    .addArgument(completeTypes('<type>', 'destination type, in any case'))
    .option('--json', 'print one JSON object, with texts in full')
    .addHelpText(
      'after',
      `
Examples:
  sluice destination-types show webhook
  sluice destination-types show segment/amplitude --destination-package @sluice/segment-actions`,
    )
    .action((type: string, flags: TypeFlags) =>
      withCliErrors(async () => (await import('./show-type.ts')).showType(type, flags)),
    )
  return new Command('destination-types')
    .description('list destination types, show their settings')
    .addCommand(list)
    .addCommand(show)
    .addHelpText(
      'after',
      `
Examples:
  sluice destination-types list crm
  sluice destination-types show webhook`,
    )
}

/** `sluice destinations check`: the credentials of a workspace's destinations. */
export function checkDestinationsCommand(): Command {
  return new Command('check')
    .description("check the credentials of a workspace's destinations with a harmless request to each product")
    .requiredOption('--workspace <file>', 'workspace file, JSON or YAML')
    .addOption(repeatableOption('--id <id>', 'only this destination', undefined, 'all'))
    .addOption(addressRangeOption())
    .option('--seconds <number>', 'time for one check', wholeNumber, 10)
    .option('--json', 'print a JSON list')
    .addHelpText(
      'after',
      `
Results: valid, invalid, undecided (the product gave no answer that decides), none (the type has no such request).
Disabled destinations are checked as well. Secrets in reasons are masked.
The exit status is 1 when a destination is invalid or undecided, 0 otherwise.

Examples:
  sluice destinations check --workspace workspace.yaml
  sluice destinations check --workspace workspace.yaml --id crm --json`,
    )
    .action((flags: CheckFlags) =>
      withCliErrors(async () => (await import('./check-destinations.ts')).checkDestinations(flags)),
    )
}

function withTypeFlags(command: Command): Command {
  return command
    .addOption(destinationPackageOption())
    .option('--workspace <file>', 'workspace file whose destinationPackages are known as well')
}

/** Loads the errors when needed, so that the other commands start much faster. */
async function withCliErrors(run: () => Promise<void>): Promise<void> {
  const { asCliError } = await import('../as-cli-error.ts')
  await run().catch((error) => Promise.reject(asCliError(error)))
}

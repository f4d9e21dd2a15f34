import type { Command, Option } from 'commander'
import { repeatableOption } from './repeatable-option.ts'

export interface DestinationFlags {
  readonly destination?: string
  readonly destinationPackage: readonly string[]
  readonly settings?: string
}

/**
 * Adds the flags that choose a destination for an offline command.
 * @param purpose what the command does with it.
 */
export function withDestinationFlags(
  command: Command,
  purpose = 'show the requests this destination would receive',
): Command {
  return command
    .option('--destination <type>', purpose)
    .addOption(destinationPackageOption())
    .option('--settings <json>', 'settings of the destination, or @FILE to read them from a file', '{}')
}

/** Creates the option for modules with destination types in addition to the built-in ones. */
export function destinationPackageOption(): Option {
  return repeatableOption(
    '--destination-package <module>',
    'file (./x.js) or npm package that exports destination types',
  )
}

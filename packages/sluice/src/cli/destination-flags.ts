import type { Command } from 'commander'
import { repeatableOption } from './repeatable-option.ts'

export interface DestinationFlags {
  readonly destination?: string
  readonly destinationPackage: readonly string[]
  readonly settings?: string
}

/** Adds what an offline command needs to go on into the requests of a destination. */
export function withDestinationFlags(command: Command): Command {
  return command
    .option('--destination <type>', 'go on to the requests this destination would get')
    .addOption(
      repeatableOption('--destination-package <module>', 'file (./x.js) or npm package that exports destination types'),
    )
    .option('--settings <json>', 'settings of the destination; @file reads them from one', '{}')
}

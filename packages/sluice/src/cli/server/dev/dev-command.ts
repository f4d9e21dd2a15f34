import { Command, InvalidArgumentError } from 'commander'
import { addressRangeOption } from '../../flags/address-range.ts'
import { withSandboxFlags } from '../../flags/sandbox-flags.ts'
import type { DevFlags } from './dev.ts'

/** `sluice dev`: runs a workspace while it is written. */
export function devCommand(): Command {
  const command = new Command('dev')
    .description('run a workspace while you write it: each saved file is live at once, and its tests run')
    .argument('[workspace]', 'workspace file, or its folder', '.')
    .option('--data <folder>', 'keep events in the folder, in sluice.db (default: in memory, until it ends)')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on, 0 for a free one', port, 8080)
    .addOption(addressRangeOption())
    .option('--no-open', 'do not open the studio in a browser (without a terminal, it is never opened)')
    .option('--no-test', 'do not run the tests of the project')
    .option('--json', 'print one JSON object per line')
  return withSandboxFlags(command)
    .addHelpText(
      'after',
      `
Watches the workspace file, the code it names and the tests of its project. A saved change runs from the next event on; then
the tests that it affects run. With a mistake in a file, what ran before keeps running until the mistake is mended.
Destinations may be at localhost, as --allow-address localhost lets them in sluice serve.
Keys on a terminal: o opens the studio, q ends.

Examples:
  sluice dev                          # the workspace.yaml of this folder
  sluice dev shop.yaml --port 9000 --no-open
  sluice dev --data .sluice           # with the store that sluice serve uses
  sluice dev --json | jq .kind`,
    )
    .action(async (workspace: string, flags: DevFlags) => (await import('./dev.ts')).dev(workspace, flags))
}

function port(value: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number
  throw new InvalidArgumentError('a port is a whole number from 0 to 65535')
}

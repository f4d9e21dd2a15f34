import { Command } from 'commander'
import { withDestinationFlags } from '../../flags/destination-flags.ts'
import { withSandboxFlags } from '../../flags/sandbox-flags.ts'
import type { ReplFlags } from './start-repl.ts'

/** `sluice repl`: runs a transformation interactively. */
export function replCommand(): Command {
  const command = new Command('repl')
    .description('type an event, or the number of one in a file, and see what the transformation returns')
    .argument('<code>', 'file of the transformation; it can import the libraries of its project')
    .option('--events <file.ndjson>', 'events to choose from, one JSON object per line')
  return withSandboxFlags(withDestinationFlags(command))
    .addHelpText(
      'after',
      `
When the code or a library is saved, the last event runs again. Input from a pipe is run line by line.

Examples:
  sluice repl transformations/orders.ts --events events/orders.ndjson
  sluice repl transformations/orders.ts --destination webhook --settings '{"webhookUrl":"https://hook.test/in"}'
  echo '{"type":"track","event":"Order Placed"}' | sluice repl transformations/orders.ts`,
    )
    .action(async (code: string, flags: ReplFlags) => (await import('./start-repl.ts')).startRepl(code, flags))
}

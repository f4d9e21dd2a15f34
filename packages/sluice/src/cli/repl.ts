import { Command } from 'commander'
import { withDestinationFlags } from './destination-flags.ts'
import type { ReplFlags } from './repl/start-repl.ts'
import { withSandboxFlags } from './sandbox-flags.ts'

/** `sluice repl`: a transformation to talk to. */
export function replCommand(): Command {
  const command = new Command('repl')
    .description('type an event, or the number of one of a file, and see what the transformation makes of it')
    .argument('<code>', 'file of the transformation; libraries of its project are there')
    .option('--events <file.ndjson>', 'events to pick from, one JSON object a line')
  return withSandboxFlags(withDestinationFlags(command))
    .addHelpText(
      'after',
      `
The code and its libraries are loaded again with every save, and the last event runs again. What comes in over a pipe is run line by line.

Examples:
  sluice repl transformations/orders.ts --events events/orders.ndjson
  sluice repl transformations/orders.ts --destination webhook --settings '{"webhookUrl":"https://hook.test/in"}'
  echo '{"type":"track","event":"Order Placed"}' | sluice repl transformations/orders.ts`,
    )
    .action(async (code: string, flags: ReplFlags) => (await import('./repl/start-repl.ts')).startRepl(code, flags))
}

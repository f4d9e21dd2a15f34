import { Command } from 'commander'
import { completeIds } from '../../flags/completed-values.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags, withServerFlags } from '../ask-server.ts'

interface Tried {
  readonly destinationId: string
  readonly failingSince?: string
}

/** `sluice destinations try`: lets one event go to a destination whose circuit is open. */
export function tryCommand(): Command {
  return withServerFlags(new Command('try'), 'one JSON object')
    .addArgument(completeIds('<id>', 'id of the destination', 'destinations'))
    .description(
      'let one event go now to a destination that fails and is left alone; sluice health shows what came of it',
    )
    .addHelpText('after', '\nExamples:\n  sluice destinations try crm')
    .action(async (id: string, flags: ServerFlags) => {
      const tried = await askServer<Tried>(flags, 'POST', `/v1/circuits/${encodeURIComponent(id)}/try`)
      if (flags.json) return printLine(JSON.stringify(tried))
      const since = tried.failingSince === undefined ? '' : `; it fails since ${tried.failingSince}`
      printLine(`destination ${tried.destinationId} is tried now${since}`)
    })
}

import { Command } from 'commander'
import { completeIds } from '../../flags/completed-values.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags, withServerFlags } from '../ask-server.ts'

interface Pause {
  readonly destinationId: string
  readonly pausedAt?: string
}

/** `sluice destinations pause` and `resume`. */
export function pauseCommands(): readonly Command[] {
  return [
    pauseCommand('pause', 'stop sending to a destination; its events are accepted and wait'),
    pauseCommand('resume', 'send to a paused destination again, first what waits'),
  ]
}

function pauseCommand(action: 'pause' | 'resume', description: string): Command {
  return withServerFlags(new Command(action), 'one JSON object')
    .addArgument(completeIds('<id>', 'id of the destination', 'destinations'))
    .description(description)
    .addHelpText('after', `\nExamples:\n  sluice destinations ${action} crm`)
    .action(async (id: string, flags: ServerFlags) => {
      const path = `/v2/destinations/${encodeURIComponent(id)}/${action}`
      const pause = await askServer<Pause>(flags, 'POST', path)
      if (flags.json) return printLine(JSON.stringify(pause))
      printLine(
        `destination ${pause.destinationId} is ${pause.pausedAt ? `paused since ${pause.pausedAt}` : 'not paused'}`,
      )
    })
}

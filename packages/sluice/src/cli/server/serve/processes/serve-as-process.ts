import { asCliError } from '../../../as-cli-error.ts'
import { CliError } from '../../../cli-error.ts'
import type { ServeFlags } from '../serve-flags.ts'
import { serveUntilStopped } from '../serve-until-stopped.ts'
import { OwnSupervisor } from './own-supervisor.ts'
import { type ProcessPlace, processVariable } from './process-messages.ts'
import { shareOfFlags } from './share-of-flags.ts'

/**
 * Serves as one of several processes, until the supervisor asks it to stop, or it is ended by SIGTERM. Ctrl-C of a terminal
 * reaches all processes at the same time: only the supervisor decides what it means.
 */
export async function serveAsProcess(flags: ServeFlags, given: string): Promise<never> {
  // Not for the children of this process.
  delete process.env[processVariable]
  const place = JSON.parse(given) as ProcessPlace
  const stopping = new AbortController()
  const supervisor = new OwnSupervisor(place)
  supervisor.on({ stop: () => stopping.abort() })
  const ignore = (): void => {}
  process
    .on('SIGTERM', () => stopping.abort())
    .on('SIGINT', ignore)
    .on('SIGHUP', ignore)
  try {
    const { main, governance } = place.ports
    const own = { ...shareOfFlags(flags, place.of), port: main, governancePort: governance, logFormat: 'json' as const }
    await serveUntilStopped(own, stopping.signal, supervisor)
  } catch (error) {
    const known = asCliError(error)
    if (!(known instanceof CliError)) throw error
    await supervisor.refused(known.message, known.exitStatus)
    process.exit(known.exitStatus)
  }
  // The channel to the supervisor would keep the process alive.
  process.exit(process.exitCode ?? 0)
}

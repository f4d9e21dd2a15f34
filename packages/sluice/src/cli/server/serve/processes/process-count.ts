import { availableParallelism } from 'node:os'
import { CliError } from '../../../cli-error.ts'
import type { ServeFlags } from '../serve-flags.ts'

/** As many as the log has lanes: one more would deliver nothing. */
const processesMax = 32

/**
 * Returns how many processes serve. One needs no supervisor.
 * @throws CliError when several cannot share what the flags name.
 */
export function processCount(flags: ServeFlags): number {
  const { processes = 1 } = flags
  const count = processes === 'auto' ? Math.min(processesMax, availableParallelism()) : processes
  if (count > 1) requireShareable(flags)
  return count
}

function requireShareable({ store, sample, events, once }: ServeFlags): void {
  if (sample)
    throw new CliError('--sample keeps its events in a file for one process: leave out --processes, or set it to 1')
  if (store === undefined)
    throw new CliError(
      '--processes needs a database that several processes share: give --store postgres://…, or set --processes 1',
    )
  if (once || events.length > 0)
    throw new CliError(
      `${once ? '--once' : '--events'} is for one process, as each would ingest the file: leave out --processes, or set it to 1`,
    )
}

import type { ServeFlags } from './serve-flags.ts'
import { serveUntilStopped } from './serve-until-stopped.ts'
import { untilSignalled } from './stop/until-signalled.ts'

/** Serves in this process until SIGINT or SIGTERM, which ends it at once when repeated. @throws CliError for what the user can mend. */
export function serveAlone(flags: ServeFlags): Promise<void> {
  return untilSignalled(({ signal }) => serveUntilStopped(flags, signal))
}

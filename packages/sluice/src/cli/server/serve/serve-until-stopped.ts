import { serveDemo } from './demo/serve-demo.ts'
import { limitGarbage } from './limit-garbage.ts'
import type { OwnSupervisor } from './processes/own-supervisor.ts'
import type { ServeFlags } from './serve-flags.ts'
import { serveWorkspace } from './serve-workspace.ts'
import { closing } from './stop/closing.ts'

/**
 * Serves until `signal` aborts, or all events of `--once` have ended, and closes everything within the time to stop.
 * @param supervisor set when this process is one of several.
 */
export async function serveUntilStopped(
  flags: ServeFlags,
  signal: AbortSignal,
  supervisor?: OwnSupervisor,
): Promise<void> {
  limitGarbage()
  await closing(flags.stopSeconds, (opened) =>
    flags.demo ? serveDemo(flags, signal, opened) : serveWorkspace(flags, signal, opened, supervisor),
  )
}

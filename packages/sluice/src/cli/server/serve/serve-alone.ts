import { asCliError } from '../../as-cli-error.ts'
import { printLine } from '../../terminal/print-line.ts'
import type { ServeFlags } from './serve-flags.ts'
import { serveUntilStopped } from './serve-until-stopped.ts'

/** Serves in this process until SIGINT or SIGTERM, which ends it at once when repeated. @throws CliError for what the user can mend. */
export async function serveAlone(flags: ServeFlags): Promise<void> {
  const stopping = new AbortController()
  const onSignal = (): void => {
    if (stopping.signal.aborted) process.exit(130)
    stopping.abort()
    printLine('stopping (repeat to stop immediately)')
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  try {
    await serveUntilStopped(flags, stopping.signal)
  } catch (error) {
    throw asCliError(error)
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

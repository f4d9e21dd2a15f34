import { asCliError } from '../../../as-cli-error.ts'
import { printLine } from '../../../terminal/print-line.ts'

/**
 * Runs something until SIGINT or SIGTERM, which ends the process at once when repeated.
 * @param run ends when `stopping` is aborted; it may abort it too.
 * @param say prints a line for people; default to standard output.
 * @throws CliError for what the user can mend.
 */
export async function untilSignalled(
  run: (stopping: AbortController) => Promise<void>,
  say: (text: string) => void = printLine,
): Promise<void> {
  const stopping = new AbortController()
  const onSignal = (): void => {
    if (stopping.signal.aborted) process.exit(130)
    stopping.abort()
    say('stopping (repeat to stop immediately)')
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  try {
    await run(stopping)
  } catch (error) {
    throw asCliError(error)
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

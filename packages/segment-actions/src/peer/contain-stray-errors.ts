import { AsyncLocalStorage } from 'node:async_hooks'

/** Name of the definition whose code runs. */
const running = new AsyncLocalStorage<string>()

let isWatching = false

/**
 * Runs code of a definition. An error in it that nothing waits for, such as a promise that is rejected after the action
 * has ended, or an exception in a timer, becomes a warning of the process instead of ending it. Errors that the code
 * throws are thrown as usual.
 *
 * @param name of the definition, for the warning.
 */
export function containStrayErrors<T>(name: string, code: () => T): T {
  watch()
  return running.run(name, code)
}

/**
 * Watches the process from the first definition on. Errors of other code end the process as they would without this: with
 * a listener of the program's own, that one decides.
 */
function watch(): void {
  if (isWatching) return
  isWatching = true
  process.on('unhandledRejection', (reason) => {
    // Node calls listeners in the asynchronous context of the promise.
    if (isContained(reason) || process.listenerCount('unhandledRejection') > 1) return
    throw reason
  })
  process.on('uncaughtException', (error) => {
    if (isContained(error) || process.listenerCount('uncaughtException') > 1) return
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  })
}

/** The message is left out: it may contain settings. */
function isContained(error: unknown): boolean {
  const name = running.getStore()
  if (name === undefined) return false
  const kind = error instanceof Error ? error.name : typeof error
  process.emitWarning(`Code of ${name} caused an error that nothing waited for (${kind}).`, 'DestinationWarning')
  return true
}

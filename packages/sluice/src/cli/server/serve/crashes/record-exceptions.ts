import { writeSync } from 'node:fs'
import type { CrashRecord } from './crash-record.ts'

/**
 * Writes down, and prints to standard error, when an exception that nothing handled ends the process, why it ended and to which destinations
 * something was being sent. Changes nothing about the end itself. @returns a function that stops this.
 */
export function recordExceptions(record: CrashRecord): () => void {
  let last: unknown
  const onException = (error: unknown): void => {
    last = error
  }
  const onExit = (code: number): void => {
    // Some exceptions are contained by others, and the process continues.
    if (code === 0 || last === undefined) return
    const reason = reasonOf(last)
    const places = record.underWay.map(({ workspaceId, destinationId }) => `${workspaceId}/${destinationId}`)
    record.crashed(reason, Date.now())
    const shown = places.length === 0 ? 'nothing was being sent' : places.slice(0, 20).join(', ')
    // Nothing asynchronous runs any more.
    writeSync(
      process.stderr.fd,
      `The process ends because of an exception that nothing handled: ${reason}. Under way: ${shown}.\n`,
    )
  }
  process.on('uncaughtExceptionMonitor', onException)
  process.on('exit', onExit)
  return () => {
    process.off('uncaughtExceptionMonitor', onException)
    process.off('exit', onExit)
  }
}

/** Name, code and place of an error. Its message may contain what a stranger sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
  const frame = (error.stack ?? '').split('\n').find((line) => line.startsWith('    at '))
  const file = frame?.slice(frame.lastIndexOf('/') + 1).replace(')', '')
  return `${error.name}${code}${file ? ` at ${file}` : ''}`
}

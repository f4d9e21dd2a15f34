import { type Logger, pino } from 'pino'
import type { ServeFlags } from '../serve-flags.ts'
import { logText } from './log-text.ts'

/**
 * Opens the log, whose lines go to standard error.
 * @param number of this process, when it is one of several.
 */
export function openLog(
  { logLevel, logFormat = process.stderr.isTTY ? 'text' : 'json' }: Pick<ServeFlags, 'logLevel' | 'logFormat'>,
  number?: number,
): Logger {
  const toText = { write: (line: string): unknown => process.stderr.write(`${logText(line)}\n`) }
  const stream = logFormat === 'text' ? toText : pino.destination(2)
  const base = number === undefined ? { pid: process.pid } : { pid: process.pid, process: number }
  return pino({ name: 'sluice', level: logLevel, base }, stream)
}

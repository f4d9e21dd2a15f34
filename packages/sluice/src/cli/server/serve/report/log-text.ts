import { isJsonObject, type JsonValue } from '@sluice/core'
import { printable, printableLines } from '@sluice/core/printable'
import pc from 'picocolors'

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}
/** Members that say nothing to a person at a terminal. */
const unshown = new Set(['level', 'time', 'pid', 'name', 'msg', 'err'])

/** Formats a line of the log, which is JSON, for people: time, level, message, members, and the stack of an error. */
export function logText(line: string): string {
  const entry: unknown = JSON.parse(line)
  if (!isJsonObject(entry)) return line
  const { level, time, msg = '', err } = entry
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const members = Object.entries(entry).filter(([name]) => !unshown.has(name))
  const shown = members.map(([name, value]) => `${name}=${memberText(value)}`).join(' ')
  const name = levels[Number(level)] ?? String(level)
  const head = `${pc.dim(clock)} ${Number(level) >= 40 ? pc.yellow(name) : name} ${printable(String(msg))}`
  return [head, ...(shown === '' ? [] : [pc.dim(shown)])].join('  ') + errorText(err)
}

function memberText(value: JsonValue | undefined): string {
  return printable(typeof value === 'string' && /^\S+$/.test(value) ? value : (JSON.stringify(value) ?? ''))
}

function errorText(error: JsonValue | undefined): string {
  if (!isJsonObject(error)) return ''
  const lines = printableLines(String(error['stack'] ?? error['message'])).split('\n')
  return lines.map((line) => `\n    ${line}`).join('')
}

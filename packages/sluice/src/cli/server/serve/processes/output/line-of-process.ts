import { logText } from '../../report/log-text.ts'

/**
 * Returns a line of one of several processes, as the server prints it. A line of the log has the number of its process
 * already, as the member `process`; any other, such as what Node prints when a process crashes, begins with it.
 * @param format of the lines of the log, which the processes write as JSON.
 */
export function lineOfProcess(number: number, line: string, format: 'text' | 'json'): string {
  if (!isOfLog(line)) return `process ${number}: ${line}`
  return format === 'json' ? line : logText(line)
}

function isOfLog(line: string): boolean {
  if (!line.startsWith('{"level":')) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    // The process ended while it wrote.
    return false
  }
}

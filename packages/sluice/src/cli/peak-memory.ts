import { readFileSync } from 'node:fs'

/**
 * Returns the most memory this process has had resident at one time, in bytes. Linux counts it for the program alone
 * in `VmHWM`; its `maxRSS` starts with that of the process that started this one.
 */
export function peakMemory(): number {
  const kilobytes =
    process.platform === 'linux'
      ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
      : undefined
  return Number(kilobytes ?? process.resourceUsage().maxRSS) * 1_024
}

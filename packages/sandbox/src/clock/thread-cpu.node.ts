import { openSync, readSync } from 'node:fs'

/**
 * Returns a function that tells how long the thread that called `openThreadCpu` has had a processor, in milliseconds since
 * any start; undefined where the platform does not tell: Node before 22.19 on other systems than Linux.
 */
export function openThreadCpu(): (() => number) | undefined {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { readonly user: number; readonly system: number } }
  if (threadCpuUsage)
    return () => {
      const { user, system } = threadCpuUsage.call(process)
      return (user + system) / 1_000
    }
  return process.platform === 'linux' ? openSchedulerFile() : undefined
}

/** The file has three numbers: nanoseconds with a processor, nanoseconds of waiting for one, and how often it had one. */
function openSchedulerFile(): (() => number) | undefined {
  try {
    const file = openSync('/proc/thread-self/schedstat', 'r')
    const bytes = Buffer.alloc(80)
    const read = (): number =>
      Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)).split(' ')[0]) / 1e6
    return Number.isFinite(read()) ? read : undefined
  } catch {
    return undefined
  }
}

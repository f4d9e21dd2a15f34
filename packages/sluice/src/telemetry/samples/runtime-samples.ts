import { readdir } from 'node:fs/promises'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { Sample } from '../metric-table.ts'

/** Resolution of the delay of the event loop, in milliseconds. A timer fires as often. */
const resolution = 20
const startedAt = Date.now() / 1_000 - process.uptime()

/**
 * Reads what the process takes of the machine, under the names that Prometheus and dashboards for Node know. The delay of
 * the event loop is that since the last call; its timer starts with the first call, so that it costs nothing where no
 * one reads it.
 */
export function createRuntimeSamples() {
  let delay: IntervalHistogram | undefined
  return {
    async read(): Promise<readonly Sample[]> {
      const delays = delay === undefined ? [] : delaySamples(delay)
      delay?.reset()
      delay ??= openDelay()
      const { user, system } = process.cpuUsage()
      const { rss, heapTotal, heapUsed, external } = process.memoryUsage()
      const files = await openFiles()
      return [
        sample('process_cpu_user_seconds_total', user / 1e6),
        sample('process_cpu_system_seconds_total', system / 1e6),
        sample('process_cpu_seconds_total', (user + system) / 1e6),
        sample('process_start_time_seconds', startedAt),
        sample('process_resident_memory_bytes', rss),
        ...(files === undefined ? [] : [sample('process_open_fds', files)]),
        sample('nodejs_heap_size_total_bytes', heapTotal),
        sample('nodejs_heap_size_used_bytes', heapUsed),
        sample('nodejs_external_memory_bytes', external),
        ...delays,
        { name: 'nodejs_version_info', labels: { version: process.version }, value: 1 },
      ]
    },
    close(): void {
      delay?.disable()
    },
  }
}

const sample = (name: string, value: number): Sample => ({ name, labels: {}, value })

/** @returns undefined in runtimes that cannot measure it. */
function openDelay(): IntervalHistogram | undefined {
  try {
    const delay = monitorEventLoopDelay({ resolution })
    delay.enable()
    return delay
  } catch {
    return undefined
  }
}

function delaySamples(delay: IntervalHistogram): readonly Sample[] {
  // The histogram counts the resolution as delay.
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolution / 1e3) || 0
  return [
    sample('nodejs_eventloop_lag_mean_seconds', seconds(delay.mean)),
    sample('nodejs_eventloop_lag_p99_seconds', seconds(delay.percentile(99))),
    sample('nodejs_eventloop_lag_max_seconds', seconds(delay.max)),
  ]
}

/** @returns undefined where the system does not list them. */
async function openFiles(): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  return (await readdir('/proc/self/fd').catch(() => undefined))?.length
}

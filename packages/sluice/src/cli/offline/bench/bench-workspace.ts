import type { Event } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import { parseEvents } from '@sluice/pipeline'
import { milliseconds } from '@sluice/testing'
import pc from 'picocolors'
import { CliError } from '../../cli-error.ts'
import { sandboxOptionsOf } from '../../flags/sandbox-flags.ts'
import { printLine } from '../../terminal/print-line.ts'
import { Progress } from '../../terminal/progress.ts'
import type { BenchFlags } from './bench-flags.ts'
import { type FlowCell, measureFlow } from './flow-cell.ts'

/** Sizes that reach this share of the best throughput are equally good; the smallest is recommended. */
const nearness = 0.9
const mebibyte = 1024 * 1024

/**
 * Measures the flow of a workspace file for each call size. With `--json` prints `{ workspace, events, cells,
 * recommended }`: the file, the number of events, a FlowCell per size, and one of them.
 */
export async function benchWorkspace(file: string, given: readonly Event[], flags: BenchFlags): Promise<void> {
  const events = acceptedOf(given, flags.events)
  const { batches, time: timeMs, json } = flags
  const sandbox = await sandboxOptionsOf(flags)
  const progress = new Progress(process.stderr)
  const cells: FlowCell[] = []
  // Warm-up: memory that the process loads once must not count for the first size.
  await measureFlow(file, events, { batch: Math.min(...batches), timeMs: timeMs / 10, sandbox })
  for (const [index, batch] of batches.entries()) {
    progress.update(`${Math.round((index / batches.length) * 100)} % · calls of ${batch}`)
    cells.push(await measureFlow(file, events, { batch, timeMs, sandbox }))
  }
  progress.done('100 %')
  const recommended = recommendedSize(cells)
  printLine(
    json ? JSON.stringify({ workspace: file, events: events.length, cells, recommended }) : text(cells, recommended),
  )
}

/** Returns the events that ingestion accepts. Refused ones, which are fast, would distort the measurement. */
function acceptedOf(given: readonly Event[], file: string): readonly Event[] {
  const { rejected } = parseEvents('batch', { batch: given }, 'pipeline')
  const refused = new Set(rejected.map(({ index }) => index))
  if (refused.size === given.length) throw new CliError(`--events: ingestion refuses every event of ${file}`)
  if (refused.size > 0) process.stderr.write(`${refused.size} events are left out because ingestion refuses them\n`)
  return given.filter((_, index) => !refused.has(index))
}

function recommendedSize(cells: readonly FlowCell[]): FlowCell | undefined {
  const best = Math.max(...cells.map(({ eventsPerSecond }) => eventsPerSecond))
  return [...cells].sort((a, b) => a.batch - b.batch).find(({ eventsPerSecond }) => eventsPerSecond >= best * nearness)
}

function text(cells: readonly FlowCell[], recommended: FlowCell | undefined): string {
  const head = ['events a call', 'events/s', 'p50 of a call', 'p99', 'memory']
  const rows = cells.map(({ batch, eventsPerSecond, p50Ms, p99Ms, memoryBytes }) => [
    String(batch),
    Math.round(eventsPerSecond).toLocaleString('en'),
    milliseconds(p50Ms),
    milliseconds(p99Ms),
    `${Math.round(memoryBytes / mebibyte)} MiB`,
  ])
  const parts = [table([head, ...rows], 0)]
  if (recommended) {
    const { batch, source, stages, destinations, eventsPerSecond } = recommended
    parts.push(
      `where the time goes, calls of ${batch}:\n${table(
        stages
          .slice(0, 12)
          .map(({ name, msPerEvent }) => [`  ${printable(name)}`, `${milliseconds(msPerEvent)} per event`]),
        1,
      )}`,
      table(
        [
          ['destination', 'delivered', 'dropped', 'failed'],
          ...destinations.map(({ id, delivered, dropped, failed }) => [
            printable(id),
            ...[delivered, dropped, failed].map(String),
          ]),
        ],
        1,
      ),
      pc.green(
        `→ calls of ${batch}: ${Math.round(eventsPerSecond).toLocaleString('en')} events/s from source ${printable(source)}; nothing was sent`,
      ),
    )
  }
  return parts.join('\n\n')
}

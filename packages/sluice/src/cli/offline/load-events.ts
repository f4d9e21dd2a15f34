import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliveryRequest, Loader, LoadReport } from '@sluice/destinations'
import { type OfflineSetup, runOffline } from '@sluice/testing'
import { CliError } from '../cli-error.ts'
import { requireReadable } from '../read-ndjson.ts'
import { printLine } from '../terminal/print-line.ts'
import { Progress } from '../terminal/progress.ts'
import { completeStored } from './complete-stored.ts'
import { EventLines, isTrouble } from './event-lines.ts'
import { type RunFlags, setupOf } from './run-events.ts'

/** Attempts at a load, with a wait in between. */
const attemptsMax = 5
const waitMs = 1_000

const againText = 'Run the command again with loadMode merge, so that rows replace those that are there.'

/** Failures of events that are shown one by one. */
const shownFailures = 5

/** An event that waits for a load. */
interface Collected {
  readonly line: number | undefined
  readonly requests: readonly DeliveryRequest[]
}

/** Sums of what was loaded. */
interface Loaded {
  events: number
  failed: number
  dropped: number
  rows: number
  discards: number
}

/** Runs `sluice run --load`: loads the events of a file into a warehouse, and shows progress. */
export async function loadEvents(flags: RunFlags): Promise<void> {
  const setup = await setupOf(flags)
  const loader = openLoader(setup)
  await requireReadable('--events', flags.events)
  const progress = new Progress(process.stderr)
  const sums: Loaded = { events: 0, failed: 0, dropped: 0, rows: 0, discards: 0 }
  const startedAt = performance.now()
  let collected: Collected[] = []
  const fail = (line: number | undefined, reason: string): void => {
    sums.failed += 1
    if (sums.failed <= shownFailures) progress.note(`line ${line} ${reason}`)
  }
  const flush = async (): Promise<void> => {
    while (collected.length > 0) {
      const before = loader.refusals ?? 0
      try {
        add(sums, await loadWithRetries(loader, sums.events, progress))
        break
      } catch (error) {
        if ((loader.refusals ?? 0) === before) throw error
        // Nothing was loaded. The others are, without the events that have such a row.
        loader.discard()
        const left = collected.filter(({ line, requests }) => {
          const reason = loader.refusal?.(requests)
          if (reason === undefined) loader.add({}, requests)
          else fail(line, `failed: ${reason}`)
          return reason === undefined
        })
        if (left.length === collected.length) throw error
        collected = left
      }
    }
    loader.discard()
    collected = []
    progress.update(textOf(sums, startedAt))
  }
  const lines = new EventLines()
  for await (const outcome of runOffline(lines.of(flags.events, completeStored), setup)) {
    const line = lines.lineOf(outcome)
    const placed = lines.placed(outcome)
    sums.events += 1
    if (isTrouble(placed)) {
      fail(line, `${placed.outcome}: ${placed.error?.message ?? placed.reason}`)
    } else if (placed.outcome === 'dropped') sums.dropped += 1
    else {
      const requests = (placed.requests ?? []) as readonly DeliveryRequest[]
      const reason = loader.refusal?.(requests)
      if (reason === undefined) {
        loader.add({}, requests)
        collected.push({ line, requests })
      } else fail(line, `failed: ${reason}`)
    }
    if (loader.isFull || collected.length >= loader.pace.eventsMax) await flush()
  }
  await flush()
  progress.clear()
  printLine(textOf(sums, startedAt))
  if (sums.failed > 0) process.exitCode = 1
}

/** Opens the loader of the chosen destination. @throws CliError when it is no warehouse. */
export function openLoader({ destination }: Pick<OfflineSetup, 'destination'>): Loader {
  const { definition, settings } = destination ?? {}
  if (definition?.load === undefined)
    throw new CliError(
      `--destination ${definition?.type ?? '(none)'}: name a warehouse: DUCKDB, POSTGRES and others of sluice destination-types list`,
    )
  return definition.load.open(settings ?? {}, { workspaceId: 'run', destinationId: 'run', now: () => Date.now() })
}

async function loadWithRetries(loader: Loader, reached: number, progress: Progress): Promise<LoadReport> {
  let loadId: string | undefined
  const before = loader.refusals ?? 0
  for (let attempt = 1; ; attempt += 1) {
    const { signal } = new AbortController()
    try {
      // The attempt before may have been loaded though its answer was lost.
      if (loadId !== undefined && (await loader.settle(loadId, signal))) return { loadId, tables: [] }
      loadId = randomUUID()
      return await loader.load(loadId, signal)
    } catch (error) {
      if ((loader.refusals ?? 0) > before) throw error
      const message = error instanceof Error ? error.message : String(error)
      if (attempt === attemptsMax)
        throw new CliError(
          `${message} ${attempt} attempts failed; events up to event ${reached} of the file may be missing. ${againText}`,
        )
      progress.note(`${message} Trying again.`)
      await sleep(waitMs * attempt)
    }
  }
}

function add(sums: Loaded, { tables, others }: LoadReport): void {
  for (const { rows, discards } of others ? [...tables, others] : tables) {
    sums.rows += rows
    sums.discards += discards
  }
}

function textOf({ events, failed, dropped, rows, discards }: Loaded, startedAt: number): string {
  const seconds = (performance.now() - startedAt) / 1_000
  const parts = [
    `${events} events`,
    `${rows} rows`,
    ...(discards > 0 ? [`${discards} values in rudder_discards`] : []),
    ...(dropped > 0 ? [`${dropped} dropped`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ]
  return `${parts.join(', ')}  ${seconds.toFixed(1)} s`
}

import type { DeliveryRequest } from '@sluice/destinations'
import { runOffline } from '@sluice/testing'
import type { DestinationFlags } from '../../flags/destination-flags.ts'
import { completeStored } from '../../offline/complete-stored.ts'
import { EventLines, isTrouble, type PlacedOutcome } from '../../offline/event-lines.ts'
import { openLoader } from '../../offline/load-events.ts'
import { offlineDestination } from '../../offline/offline-destination.ts'
import { requireReadable } from '../../read-ndjson.ts'
import { printLine } from '../../terminal/print-line.ts'
import { Progress } from '../../terminal/progress.ts'
import { tableText } from './warehouse-text.ts'

/** Failures that are shown by line. */
const failuresMax = 5

export interface PlanFlags extends DestinationFlags {
  readonly events: string
  readonly json?: true
}

/** Runs `sluice warehouse plan`: prints what a file of events would change, and changes nothing. */
export async function planLoad(flags: PlanFlags): Promise<void> {
  const destination = await offlineDestination(flags)
  const setup = destination ? { destination } : {}
  const loader = openLoader(setup)
  await requireReadable('--events', flags.events)
  const progress = new Progress(process.stderr)
  const lines = new EventLines()
  const failures: { readonly line: number; readonly reason: string }[] = []
  let events = 0
  let failed = 0
  let dropped = 0
  const noteFailure = ({ line = 0, error, reason, outcome }: PlacedOutcome): void => {
    failed += 1
    if (failures.length < failuresMax) failures.push({ line, reason: error?.message ?? reason ?? outcome })
  }
  async function* loads(): AsyncGenerator<readonly DeliveryRequest[]> {
    let requests: DeliveryRequest[] = []
    let collected = 0
    for await (const outcome of runOffline(lines.of(flags.events, completeStored), setup)) {
      const placed = lines.placed(outcome)
      events += 1
      if (isTrouble(placed)) noteFailure(placed)
      else if (placed.outcome === 'dropped') dropped += 1
      else {
        const made = (placed.requests ?? []) as readonly DeliveryRequest[]
        // The loader counts, so that loads end where those of sluice run do.
        loader.add({}, made)
        requests.push(...made)
        collected += 1
      }
      if (!loader.isFull && collected < loader.pace.eventsMax) continue
      progress.update(`${events} events`)
      loader.discard()
      yield requests
      requests = []
      collected = 0
    }
    yield requests
  }
  const tables = await loader.plan(loads(), new AbortController().signal)
  progress.clear()
  if (flags.json) return printLine(JSON.stringify({ events, failed, dropped, failures, tables }))
  for (const table of tables) {
    printLine(tableText(table))
    for (const { column, reason, values } of table.reasons) printLine(`    ${column}: ${values} × ${reason}`)
  }
  if (dropped > 0) printLine(`${dropped} of ${events} events would be dropped.`)
  if (failed > 0) printLine(`${failed} of ${events} events would fail:`)
  for (const { line, reason } of failures) printLine(`    line ${line}: ${reason}`)
  if (tables.every(({ isNew, newColumns, discards }) => !isNew && newColumns.length === 0 && discards === 0))
    printLine('The tables stay as they are, and every value fits.')
}

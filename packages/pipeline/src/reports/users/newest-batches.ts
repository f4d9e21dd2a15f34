import type { Clock, Event } from '@sluice/core'
import type { EventLog, LogBatch } from '../../ports/event-log.ts'
import type { LogPosition } from '../../ports/log-position.ts'
import type { AskedEngine } from '../asked-engine.ts'

/** Positions of the log read in one step; the batches of a step are held in memory. */
const positionsPerStep = 20
/** Positions looked through: of all workspaces, because they share them. */
const positionsMax = 10_000
/** Events looked through. */
const eventsMax = 100_000
/** Time for it, in milliseconds: a person waits. */
const timeMs = 3_000
/** Size of one read, in bytes. */
const readBytesMax = 4 * 1_024 * 1_024

/** What a look through the events of a workspace needs. */
export interface LookParts {
  readonly clock: Pick<Clock, 'now'>
  /** Events are looked at in the turns of their workspace: a large log must not delay others. */
  readonly engine: Pick<AskedEngine, 'inTurns'>
}

interface NewestBatches {
  /** Batches with those of their events that are wanted, the newest first. */
  readonly batches: AsyncIterable<LogBatch>
  /** Returns whether the log has older batches that were not looked through. */
  isCut(): boolean
  /** Returns the newest position that was not looked through; undefined when there is none, or it is not known yet. */
  next(): LogPosition | undefined
}

/**
 * Looks through the log of a workspace backwards, within limits of positions, events and time.
 * @param from position of the newest batch; default: the end of the log.
 */
export function newestBatches(
  log: Pick<EventLog, 'read' | 'end'>,
  workspaceId: string,
  { clock, engine }: LookParts,
  isWanted: (event: Event) => boolean,
  from?: LogPosition,
): NewestBatches {
  const inTurns = engine.inTurns(workspaceId)
  let next: LogPosition | undefined
  async function* look(): AsyncGenerator<LogBatch> {
    const until = clock.now() + timeMs
    const end = Math.min(from ?? Number.POSITIVE_INFINITY, await log.end(workspaceId))
    let events = 0
    for (let upper = end; upper > 0; upper -= positionsPerStep) {
      if (end - upper >= positionsMax || events >= eventsMax || clock.now() > until) {
        const [older] = await log.read(workspaceId, 0, 1, 1)
        if (older !== undefined && older.position <= upper) next = upper
        return
      }
      const found = await between(log, workspaceId, Math.max(0, upper - positionsPerStep), upper)
      for (const batch of found.reverse()) {
        events += batch.events.length
        const wanted = await inTurns(batch.events, isWanted)
        yield { ...batch, events: batch.events.filter((_, place) => wanted[place]) }
      }
    }
  }
  return { batches: look(), isCut: () => next !== undefined, next: () => next }
}

/** Returns the batches behind `after`, up to and with `upper`, in order. */
async function between(
  log: Pick<EventLog, 'read'>,
  workspaceId: string,
  after: number,
  upper: number,
): Promise<LogBatch[]> {
  const found: LogBatch[] = []
  for (let from = after; from < upper; ) {
    const read = await log.read(workspaceId, from, positionsPerStep, readBytesMax)
    const inside = read.filter(({ position }) => position <= upper)
    found.push(...inside)
    if (read.length === 0 || inside.length < read.length) break
    from = read.at(-1)?.position ?? upper
  }
  return found
}

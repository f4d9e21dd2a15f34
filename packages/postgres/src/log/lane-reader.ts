import type { ConsumerLog, LogBatch, LogPosition } from '@sluice/pipeline'
import type { Connection } from '../connect/connect.ts'
import type { LanePosition } from './commit-progress.ts'
import { anyBytes, type LaneBatch, type LaneRow, laneBatchOf, readLanesWithin } from './lane-batch.ts'
import type { LaneTail } from './lane-tail.ts'

/**
 * Batches of lanes that count as one of those a consumer asks for: a call with several users is in several lanes, and
 * work on small batches costs more per event.
 */
export const lanesPerBatch = 8

interface LaneReaderOptions {
  readonly workspaceId: string
  readonly connection: Connection
  readonly tail: LaneTail
  /** Where the consumer is in each lane that this process holds. */
  readonly cursors: readonly LanePosition[]
  /** Lanes that are read before the others, when the consumer reads one batch at a time to find what crashes processes. */
  readonly suspicious?: ReadonlySet<number>
  readonly watch: (listener: () => void) => () => void
  readonly commit: (progress: Parameters<ConsumerLog['commit']>[0], moved: readonly LanePosition[]) => Promise<void>
}

interface Handed extends Omit<LanePosition, 'eventsDone'> {
  readonly number: LogPosition
  /** Events of it that were done before. */
  readonly leftOut: number
}

/**
 * Several lanes as one log: batches get numbers in the order in which they are handed out, and a commit of a number moves
 * the cursor of each lane behind the batches up to it. The order within a lane is kept; between lanes there is none.
 */
export class LaneReader implements ConsumerLog {
  readonly cursor = 0
  /** Batches that are done in part are handed out without that part. */
  readonly eventsDone = 0
  readonly #options: LaneReaderOptions
  readonly #committed: Map<number, Omit<LanePosition, 'lane'>>
  #next: Map<number, LogPosition>
  /** Events that are left out of the next batch of a lane: they were done before this reader was opened. */
  readonly #leftOut: Map<number, number>
  /** The lane of the batch behind the last commit, when it was done in part: it is handed out first again. */
  #inPart: number | undefined
  /** Batches that are handed out and not committed, in order of number. */
  #handed: Handed[] = []
  #last: LogPosition = 0
  /** The lane that is looked at first changes, so that a busy one does not hold back the others. */
  #turn = 0

  constructor(options: LaneReaderOptions) {
    this.#options = options
    this.#committed = new Map(options.cursors.map(({ lane, ...rest }) => [lane, rest]))
    this.#next = new Map(options.cursors.map(({ lane, position }) => [lane, position]))
    this.#leftOut = new Map(options.cursors.map(({ lane, eventsDone }) => [lane, eventsDone]))
  }

  watch(listener: () => void): () => void {
    return this.#options.watch(listener)
  }

  async read(after: LogPosition, limit: number, bytesMax = Number.POSITIVE_INFINITY): Promise<readonly LogBatch[]> {
    if (after !== this.#last) this.#handOutAgain(after)
    const rowsMax = limit === 1 ? 1 : limit * lanesPerBatch
    if (this.#inPart !== undefined && this.#handed.length === 0) {
      const lane = this.#inPart
      const batches = this.#cached(lane, rowsMax, bytesMax) ?? (await this.#stored([lane], rowsMax, bytesMax))
      return batches.map((batch) => this.#handOut(batch))
    }
    const found: LaneBatch[] = []
    const behind: number[] = []
    let bytes = 0
    for (const lane of this.#lanes(limit === 1)) {
      if (found.length >= rowsMax || bytes >= bytesMax) break
      const cached = this.#cached(lane, rowsMax - found.length, bytesMax - bytes)
      if (cached === undefined) behind.push(lane)
      for (const batch of cached ?? []) bytes += batch.bytes
      found.push(...(cached ?? []))
    }
    if (found.length === 0 && behind.length > 0) found.push(...(await this.#stored(behind, rowsMax, bytesMax)))
    return found.map((batch) => this.#handOut(batch))
  }

  async oldestBehind(): Promise<number | undefined> {
    const { connection, workspaceId } = this.#options
    const lanes = [...this.#committed]
    const [row] = await connection.query<{ oldest: number | null }>(
      `select min(batch.received_at) as oldest from unnest($2::int[], $3::bigint[]) as place (lane, after)
       cross join lateral (
         select received_at from log_batch
         where workspace_id = $1 and log_batch.lane = place.lane and position > place.after
         order by position limit 1
       ) as batch`,
      [workspaceId, lanes.map(([lane]) => lane), lanes.map(([, { position }]) => position)],
    )
    return row?.oldest ?? undefined
  }

  async commit(progress: Parameters<ConsumerLog['commit']>[0]): Promise<void> {
    const { position: number, eventsDone = 0 } = progress
    const done = this.#handed.filter((each) => each.number <= number)
    const moved = new Map(done.map(({ lane, position }) => [lane, { position, eventsDone: 0 }]))
    const inPart = eventsDone > 0 ? this.#handed.find((each) => each.number > number) : undefined
    if (inPart !== undefined) {
      const before = moved.get(inPart.lane) ?? this.#committed.get(inPart.lane)
      moved.set(inPart.lane, { position: before?.position ?? 0, eventsDone: inPart.leftOut + eventsDone })
    }
    await this.#options.commit(
      progress,
      [...moved].map(([lane, to]) => ({ lane, ...to })),
    )
    for (const [lane, to] of moved) this.#committed.set(lane, to)
    for (const { lane } of done) this.#leftOut.delete(lane)
    if (inPart !== undefined) this.#leftOut.set(inPart.lane, inPart.leftOut)
    this.#inPart = inPart?.lane
    this.#handed = this.#handed.filter((each) => each.number > number)
  }

  /** Hands out again what is behind a number. The batches up to it are processed, and may still wait for their commit. */
  #handOutAgain(after: LogPosition): void {
    this.#handed = this.#handed.filter(({ number }) => number <= after)
    this.#next = new Map([...this.#committed].map(([lane, { position }]) => [lane, position]))
    for (const { lane, position } of this.#handed) this.#next.set(lane, position)
    this.#last = after
  }

  #handOut(batch: LaneBatch): LogBatch {
    const { lane, position, events } = batch
    this.#last += 1
    const isNext = this.#next.get(lane) === this.#committed.get(lane)?.position
    const leftOut = isNext ? (this.#leftOut.get(lane) ?? 0) : 0
    this.#next.set(lane, position)
    this.#handed.push({ number: this.#last, lane, position, leftOut })
    const stored = { lane, position, skipped: leftOut }
    return { ...batch, position: this.#last, stored, events: leftOut > 0 ? events.slice(leftOut) : events }
  }

  *#lanes(isCareful: boolean): Generator<number> {
    const { tail, workspaceId, suspicious } = this.#options
    const all = [...this.#next].filter(([lane, position]) => tail.end(workspaceId, lane) > position)
    const first = isCareful ? all.filter(([lane]) => suspicious?.has(lane)) : []
    const lanes = first.length > 0 ? first : all
    this.#turn += 1
    for (let n = 0; n < lanes.length; n += 1) yield lanes[(n + this.#turn) % lanes.length]?.[0] ?? 0
  }

  #cached(lane: number, limit: number, bytesMax: number): readonly LaneBatch[] | undefined {
    const { tail, workspaceId } = this.#options
    return tail.read(workspaceId, lane, this.#next.get(lane) ?? 0, limit, bytesMax)
  }

  async #stored(lanes: readonly number[], rowsMax: number, bytesMax: number): Promise<readonly LaneBatch[]> {
    const { connection, workspaceId } = this.#options
    const rows = await connection.query<LaneRow>(readLanesWithin, [
      lanes.map(() => workspaceId),
      lanes,
      lanes.map((lane) => this.#next.get(lane) ?? 0),
      rowsMax,
      rowsMax,
      Math.min(bytesMax, anyBytes),
    ])
    return rows.map(laneBatchOf)
  }
}

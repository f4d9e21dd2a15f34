import type { LogPosition } from '@sluice/pipeline'
import { RecentBatches } from '@sluice/storage/sql'
import { LRUCache } from '#inlined/lru-cache'
import type { Connection } from '../connect/connect.ts'
import { type LaneBatch, type LaneRow, laneBatchOf, readLanes } from './lane-batch.ts'

/** Bytes of batches that this process has appended and not read yet. */
const ownBytesMax = 8 * 1_024 ** 2

/** Batches of one look, per lane and in all. */
const perLaneMax = 64
const perLookMax = 512

interface LaneTailOptions {
  readonly connection: Connection
  /** Size of the cache, measured by the JSON texts. */
  readonly recentBytesMax: number
  /** Called when a workspace has new batches. */
  readonly onBatches: (workspaceId: string) => void
  /** Called with each batch that another process has appended. */
  readonly onRead: (batch: LaneBatch) => void
}

/**
 * The newest batches of the lanes that this process holds. One query reads them for all its consumers, which share one
 * parsed copy; those that lag behind read for themselves.
 */
export class LaneTail {
  readonly #options: LaneTailOptions
  #recent: RecentBatches<LaneBatch>
  /** The last position read, of each lane of each workspace; in lanes that are held. */
  readonly #ends = new Map<string, Map<number, LogPosition>>()
  /** Batches that this process has appended: their texts need not be read. */
  readonly #own = new LRUCache<LogPosition, LaneBatch>({ maxSize: ownBytesMax })
  #looking: Promise<void> | undefined
  #again = false

  constructor(options: LaneTailOptions) {
    this.#options = options
    this.#recent = new RecentBatches(options.recentBytesMax)
  }

  /** Starts at the end of some lanes of a workspace, which is left as it is when it is known with these lanes. */
  async follow(workspaceId: string, lanes: ReadonlySet<number>): Promise<void> {
    const known = this.#ends.get(workspaceId)
    if (known && known.size === lanes.size && [...lanes].every((lane) => known.has(lane))) return
    const rows = await this.#options.connection.query<{ lane: number; position: number }>(
      `select lane, coalesce((
         select position from log_batch where workspace_id = $1 and log_batch.lane = held.lane
         order by position desc limit 1
       ), 0) as position from unnest($2::int[]) as held (lane)`,
      [workspaceId, [...lanes]],
    )
    for (const lane of lanes) this.#recent.forget(keyOf(workspaceId, lane))
    this.#ends.set(workspaceId, new Map(rows.map(({ lane, position }) => [lane, position])))
  }

  /** Keeps batches that this process has appended, until they are read in their turn. */
  appended(batches: readonly LaneBatch[]): void {
    for (const batch of batches)
      if (this.#ends.get(batch.workspaceId)?.has(batch.lane))
        this.#own.set(batch.position, batch, { size: batch.bytes + 1 })
  }

  follows(workspaceId: string): boolean {
    return this.#ends.has(workspaceId)
  }

  /** Forgets all lanes: others are held now. */
  clear(): void {
    this.#ends.clear()
    this.#own.clear()
    this.#recent = new RecentBatches(this.#options.recentBytesMax)
  }

  /** Returns the last known position of a lane. */
  end(workspaceId: string, lane: number): LogPosition {
    return this.#ends.get(workspaceId)?.get(lane) ?? 0
  }

  /** Returns batches of a lane behind a position; undefined when some of them are not cached. */
  read(
    workspaceId: string,
    lane: number,
    after: LogPosition,
    limit: number,
    bytesMax?: number,
  ): readonly LaneBatch[] | undefined {
    return this.#recent.read(keyOf(workspaceId, lane), after, limit, bytesMax)
  }

  /** Looks for new batches in all lanes. One look runs at a time; a call during it makes it look again. */
  look(): Promise<void> {
    if (this.#looking) {
      this.#again = true
      return this.#looking
    }
    const looking = this.#look().finally(() => {
      this.#looking = undefined
    })
    this.#looking = looking
    return looking
  }

  async #look(): Promise<void> {
    do {
      this.#again = false
      const places = [...this.#ends].flatMap(([workspaceId, ends]) =>
        [...ends].map(([lane, after]) => ({ workspaceId, lane, after })),
      )
      if (places.length === 0) return
      const rows = await this.#options.connection.query<NewRow>(readNew, [
        places.map(({ workspaceId }) => workspaceId),
        places.map(({ lane }) => lane),
        places.map(({ after }) => after),
        perLaneMax,
        perLookMax,
        [...this.#own.keys()],
      ])
      const found = new Set<string>()
      for (const row of rows) {
        const ends = this.#ends.get(row.workspace_id)
        const before = ends?.get(row.lane)
        // The lanes may have been given to others meanwhile.
        if (ends === undefined || before === undefined || before >= row.position) continue
        const own = this.#own.get(row.position)
        this.#own.delete(row.position)
        const { events_json } = row
        // It has grown out of the cache since the query was sent: the next look reads its text.
        if (own === undefined && events_json === null) break
        const batch = own ?? laneBatchOf({ ...row, events_json: events_json ?? '[]' })
        if (own === undefined) this.#options.onRead(batch)
        this.#recent.add(batch, row.bytes, keyOf(row.workspace_id, row.lane), before)
        ends.set(row.lane, row.position)
        found.add(row.workspace_id)
      }
      for (const workspaceId of found) this.#options.onBatches(workspaceId)
      if (rows.length === perLookMax) this.#again = true
    } while (this.#again)
  }
}

interface NewRow extends Omit<LaneRow, 'events_json'> {
  /** Null where this process knows the events. */
  readonly events_json: string | null
}

/** As `readLanes`, without the texts of some positions. */
const readNew = readLanes.replace(
  'select batch.*',
  `select batch.workspace_id, batch.lane, batch.position, batch.source_id, batch.write_key, batch.received_at,
     batch.destination_ids_json, batch.bytes,
     (case when batch.position = any ($6::bigint[]) then null else batch.events_json end) as events_json`,
)

function keyOf(workspaceId: string, lane: number): string {
  return `${lane} ${workspaceId}`
}

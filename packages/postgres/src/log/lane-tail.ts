import type { LogPosition } from '@sluice/pipeline'
import { RecentBatches } from '@sluice/storage/sql'
import type { Connection } from '../connect/connect.ts'
import { type LaneBatch, type LaneRow, laneBatchOf, readLanes } from './lane-batch.ts'

/** Batches of one look, per lane and in all. */
const perLaneMax = 64
const perLookMax = 512

export interface LaneTailOptions {
  readonly connection: Connection
  /** Size of the cache, measured by the JSON texts. */
  readonly recentBytesMax: number
  /** Called when a workspace has new batches. */
  readonly onBatches: (workspaceId: string) => void
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

  follows(workspaceId: string): boolean {
    return this.#ends.has(workspaceId)
  }

  /** Forgets all lanes: others are held now. */
  clear(): void {
    this.#ends.clear()
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
      const rows = await this.#options.connection.query<LaneRow>(readLanes, [
        places.map(({ workspaceId }) => workspaceId),
        places.map(({ lane }) => lane),
        places.map(({ after }) => after),
        perLaneMax,
        perLookMax,
      ])
      const found = new Set<string>()
      for (const row of rows) {
        const ends = this.#ends.get(row.workspace_id)
        const before = ends?.get(row.lane)
        // The lanes may have been given to others meanwhile.
        if (ends === undefined || before === undefined || before >= row.position) continue
        this.#recent.add(laneBatchOf(row), row.bytes, keyOf(row.workspace_id, row.lane), before)
        ends.set(row.lane, row.position)
        found.add(row.workspace_id)
      }
      for (const workspaceId of found) this.#options.onBatches(workspaceId)
      if (rows.length === perLookMax) this.#again = true
    } while (this.#again)
  }
}

function keyOf(workspaceId: string, lane: number): string {
  return `${lane} ${workspaceId}`
}

import {
  type ConsumerStart,
  type CrashStore,
  type EventPlace,
  nextStart,
  readBatchesMax,
  type StoredStart,
} from '@sluice/pipeline/store'
import type { SqlSession } from '@sluice/storage/sql'
import { sql } from 'kysely'
import type { Query } from '../connect/connect.ts'
import { repeated } from '../connect/lost-answers.ts'
import { lanesPerBatch } from './lane-reader.ts'

/** Starts at a place after which a consumer is careful there: see `Quarantine`. */
const triesMax = 2

interface LaneCrashesOptions {
  readonly query: Query
  readonly session: Pick<SqlSession, 'write'>
  /** The lanes that this process holds. */
  readonly held: () => ReadonlySet<number>
  /** Those of them that it has taken over, with the newest change, from processes that had died. */
  readonly fromDead: () => ReadonlySet<number>
}

/**
 * What was under way when processes of a cluster died, for each consumer and lane. Who takes over a lane of a dead process
 * notes where it begins; when that has happened twice at the same place, the consumer is careful there. Nothing is written
 * while processes hand over their lanes in order.
 */
export class LaneCrashes implements CrashStore {
  readonly #options: LaneCrashesOptions
  readonly #suspicious = new Map<string, ReadonlySet<number>>()

  constructor(options: LaneCrashesOptions) {
    this.#options = options
  }

  /** The lanes in which a consumer is careful, as it was when it started. */
  suspicious(workspaceId: string, consumer: string): ReadonlySet<number> {
    return this.#suspicious.get(JSON.stringify([workspaceId, consumer])) ?? new Set()
  }

  async started(
    workspaceId: string,
    cursors: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, ConsumerStart>> {
    const { query, held, fromDead } = this.#options
    const rows = await query<LaneRow>(lanesOfConsumers, [workspaceId, [...cursors.keys()], [...held()]])
    const starts = rows.flatMap((row) => {
      const start = startOf(row, fromDead().has(row.lane))
      return start ? [{ ...start, lane: row.lane, consumer: row.consumer }] : []
    })
    await this.#note(
      workspaceId,
      starts.filter(({ lane }) => fromDead().has(lane)),
    )
    const byConsumer = new Map<string, ConsumerStart>()
    for (const consumer of cursors.keys()) {
      const own = starts.filter((start) => start.consumer === consumer)
      const suspicious = new Set(
        own.flatMap(({ lane, tries, suspects }) => (tries > triesMax || suspects.length > 0 ? lane : [])),
      )
      this.#suspicious.set(JSON.stringify([workspaceId, consumer]), suspicious)
      byConsumer.set(consumer, {
        tries: Math.max(1, ...own.map(({ tries }) => tries)),
        suspects: own.flatMap(({ lane, suspects }) => suspects.map((place) => ({ ...place, lane }))),
        batchesMax: readBatchesMax * lanesPerBatch * Math.max(1, suspicious.size),
      })
    }
    return byConsumer
  }

  trying(workspaceId: string, consumer: string, place: EventPlace): Promise<void> {
    return this.#setTrying(workspaceId, consumer, place)
  }

  async tried(workspaceId: string, consumer: string): Promise<void> {
    await this.#write(
      'update lane_start set trying_json = null where workspace_id = $1 and consumer = $2 and lane = any ($3::int[])',
      [workspaceId, consumer, [...this.#options.held()]],
    )
  }

  async stopped(workspaceId: string): Promise<void> {
    await this.#write(
      'update lane_start set trying_json = null where workspace_id = $1 and lane = any ($2::int[]) and trying_json is not null',
      [workspaceId, [...this.#options.held()]],
    )
  }

  /** Runs a statement that may run twice. */
  async #write(text: string, values: readonly unknown[]): Promise<void> {
    await repeated(() => this.#options.query(text, values))
  }

  async #setTrying(workspaceId: string, consumer: string, place: EventPlace): Promise<void> {
    await this.#write(
      `insert into lane_start (workspace_id, consumer, lane, position, tries, suspects_json, trying_json)
       values ($1, $2, $3, -1, 0, '[]', $4)
       on conflict (workspace_id, consumer, lane) do update set trying_json = excluded.trying_json`,
      [workspaceId, consumer, place.lane ?? 0, JSON.stringify({ position: place.position, index: place.index })],
    )
  }

  async #note(workspaceId: string, starts: readonly NewStart[]): Promise<void> {
    if (starts.length === 0) return
    const columns = [
      starts.map(({ consumer }) => consumer),
      starts.map(({ lane }) => lane),
      starts.map(({ position }) => position),
      starts.map(({ tries }) => tries),
      starts.map(({ suspects }) => JSON.stringify(suspects)),
    ] as const
    // In the turn of rare writes, which are refused when this process is taken for dead.
    await this.#options.session.write({
      apply: async (db) => {
        await sql`
          insert into lane_start (workspace_id, consumer, lane, position, tries, suspects_json, trying_json)
          select ${workspaceId}, each.*, null from unnest(
            ${columns[0]}::text[], ${columns[1]}::int[], ${columns[2]}::bigint[], ${columns[3]}::bigint[], ${columns[4]}::text[]
          ) as each
          on conflict (workspace_id, consumer, lane) do update set position = excluded.position, tries = excluded.tries,
            suspects_json = excluded.suspects_json, trying_json = null`.execute(db)
      },
    })
  }
}

interface LaneRow {
  readonly consumer: string
  readonly lane: number
  readonly cursor: number
  /** Whether batches are behind the cursor. */
  readonly is_behind: boolean
  readonly position: number | null
  readonly tries: number | null
  readonly suspects_json: string | null
  readonly trying_json: string | null
}

interface NewStart extends StoredStart {
  readonly consumer: string
  readonly lane: number
}

/** @returns undefined where nothing is known or was under way. */
function startOf(row: LaneRow, isFromDead: boolean): StoredStart | undefined {
  const { cursor, position, tries, trying_json: trying } = row
  const before: StoredStart | undefined =
    position === null
      ? undefined
      : {
          position,
          tries: tries ?? 0,
          suspects: JSON.parse(row.suspects_json ?? '[]') as EventPlace[],
          trying: trying === null ? undefined : (JSON.parse(trying) as EventPlace),
        }
  if (isFromDead) {
    if (!row.is_behind) return undefined
    // Where it died is where it began, as far as anybody knows.
    return nextStart(before ?? { position: cursor, tries: 1, suspects: [] }, cursor)
  }
  if (before === undefined) return undefined
  const suspects = before.suspects.filter((place) => place.position > cursor)
  return { position: cursor, tries: before.position === cursor ? before.tries : 1, suspects }
}

const lanesOfConsumers = `
  select cursor.consumer, cursor.lane, cursor.position as cursor,
    exists (
      select from log_batch as batch where batch.workspace_id = cursor.workspace_id and batch.lane = cursor.lane
        and batch.position > cursor.position
    ) as is_behind,
    start.position, start.tries, start.suspects_json, start.trying_json
  from log_cursor as cursor left join lane_start as start using (workspace_id, consumer, lane)
  where cursor.workspace_id = $1 and cursor.consumer = any ($2::text[]) and cursor.lane = any ($3::int[])`

import { type Event, InvariantError, StoreFullError } from '@sluice/core'
import type { Appended, CountDelta, Deduplication, LogPosition, NewLogBatch } from '@sluice/pipeline'
import { withDuplicates } from '@sluice/pipeline/store'
import { messageDigest, type Once, sumCounts, type WriteMark } from '@sluice/storage/sql'
import type { Connection, Query } from '../connect/connect.ts'
import { noted } from '../connect/numbered-writes.ts'
import { laneOf } from '../lanes/lane-of.ts'
import { NotServingError } from '../membership/not-serving-error.ts'
import { isOfOneWrite } from '../of-one-write.ts'
import { DigestLimit } from './digest-limit.ts'
import type { LaneBatch } from './lane-batch.ts'

/** Turns of the event loop in which the calls for a statement come. */
const gatherTurnsMax = 4
/** Calls that share a statement, and calls that may wait for theirs. */
const groupMax = 256
const waitingMax = 4_096

/** Between the texts of rows, which as an array would have to be escaped. JSON text contains no such character. */
const separator = 0x1e
const [opening, comma, closing] = [0x5b, 0x2c, 0x5d]

/** A call, to be appended whole or without its duplicates. */
interface Call {
  readonly batch: NewLogBatch
  /** JSON text and lane of each event, and its id where it counts. */
  readonly texts: readonly string[]
  readonly lanes: readonly number[]
  readonly messageIds: readonly string[]
  readonly counts: readonly CountDelta[]
  readonly deduplication: Deduplication | undefined
  resolve(appended: Appended): void
  reject(error: unknown): void
}

interface AppendGroupOptions {
  readonly connection: Connection
  /** Numbers its statements, so that none is stored twice when its answer was lost. */
  readonly once: Once
  /** Id of this process in the cluster. */
  readonly nodeId: () => string
  /** Called after batches are stored, with all of them, and those whose events are exactly what is stored. */
  readonly onAppend: (
    workspaceIds: ReadonlySet<string>,
    stored: readonly LaneBatch[],
    exact: readonly LaneBatch[],
  ) => void
}

/**
 * Appends batches: calls that arrive while a statement runs share the next one. There is one row per source and lane of the
 * users. A lock per lane, taken by the statement itself, makes positions visible in order: a reader that has seen one has
 * seen all smaller ones of the lane.
 */
export class AppendGroup {
  readonly #options: AppendGroupOptions
  readonly #digestLimit = new DigestLimit()
  #waiting: Call[] = []
  #running: Promise<void> | undefined
  /** Calls of the last statement. */
  #answered = 0

  constructor(options: AppendGroupOptions) {
    this.#options = options
  }

  /**
   * Serialises a batch at once, so that a bad event fails only its own call, and the caller may change its objects.
   * @returns the function that appends it.
   */
  prepare(
    batch: NewLogBatch,
    counts: readonly CountDelta[],
    deduplication: Deduplication | undefined,
  ): () => Promise<Appended> {
    if (batch.events.length === 0) throw new InvariantError('a batch without events cannot be appended to the log')
    const call = {
      batch,
      texts: batch.events.map((event) => JSON.stringify(event)),
      lanes: batch.events.map(laneOf),
      messageIds: deduplication ? batch.events.map(({ messageId }) => String(messageId)) : [],
      counts,
      deduplication,
    }
    return () =>
      new Promise((resolve, reject) => {
        if (this.#waiting.length >= waitingMax) {
          reject(new StoreFullError(`${waitingMax} batches are waiting for the database; try again later`))
          return
        }
        this.#waiting.push({ ...call, resolve, reject })
        this.#running ??= this.#run()
      })
  }

  /** Resolves when no call waits. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gathered()
      const calls = this.#waiting.splice(0, groupMax)
      this.#answered = calls.length
      try {
        await this.#store(calls)
      } catch (error) {
        if (calls.length === 1 || !isOfOneWrite(error)) for (const call of calls) call.reject(error)
        // One faulty call must not fail the others.
        else for (const call of calls) await this.#store([call]).catch((own) => call.reject(own))
      }
    }
    this.#running = undefined
  }

  /**
   * Resolves when the calls that share the next statement have come: those of the same turn, and those of callers that were
   * answered just now, who often call again within a few turns. A statement for all of them costs half of two.
   */
  async #gathered(): Promise<void> {
    const expected = Math.min(this.#answered + this.#waiting.length, groupMax)
    let turns = 0
    do {
      await new Promise((resolve) => setImmediate(resolve))
      turns += 1
    } while (this.#waiting.length < expected && turns < gatherTurnsMax)
  }

  async #store(calls: readonly Call[]): Promise<void> {
    const { connection, once, onAppend } = this.#options
    const isDeduplicated = calls.some(({ deduplication }) => deduplication !== undefined)
    const none = calls.map((): readonly number[] => [])
    let made: Stored | undefined
    const store = async (query: Query, mark: WriteMark): Promise<Stored> => {
      const duplicates = isDeduplicated ? await findDuplicates(query, calls, this.#digestLimit) : none
      const rows = rowsOf(calls, duplicates)
      made = { duplicates, batches: await this.#insert(query, calls, { duplicates, rows, mark }) }
      return made
    }
    const { duplicates, batches } = await once(
      (mark) =>
        isDeduplicated ? connection.transaction((query) => store(query, mark)) : store(connection.query, mark),
      // A transaction had its answers before its commit was sent; a single statement has none.
      async () => made ?? { duplicates: none, batches: await findStored(connection.query, rowsOf(calls, none)) },
    )
    const positions = new Array<LogPosition | undefined>(calls.length).fill(undefined)
    for (const { from, batch } of batches) for (const call of from) positions[call] = batch.position
    for (const [place, call] of calls.entries())
      call.resolve({ position: positions[place], duplicates: duplicates[place] ?? [] })
    const exact = batches.flatMap(({ isExact, batch }) => (isExact ? batch : []))
    onAppend(
      new Set(calls.map(({ batch }) => batch.workspaceId)),
      batches.map(({ batch }) => batch),
      exact,
    )
  }

  async #insert(
    query: Query,
    calls: readonly Call[],
    { duplicates, rows, mark }: Insert,
  ): Promise<readonly StoredBatch[]> {
    const { text, sizes } = textOf(rows)
    const deltas = sumCounts(
      calls.flatMap(({ counts }, place) => withDuplicates(counts, duplicates[place]?.length ?? 0)),
    )
    const [answer] = await query<{ serving: number; noted: number; positions: readonly string[] }>(insertRows, [
      this.#options.nodeId(),
      rows.map(({ batch }) => batch.workspaceId),
      rows.map(({ lane }) => lane),
      rows.map(({ batch }) => batch.sourceId),
      rows.map(({ batch }) => batch.writeKey),
      rows.map(({ batch }) => batch.receivedAt),
      rows.map(({ batch }) => JSON.stringify(batch.destinationIds)),
      text,
      sizes,
      deltas.map(({ workspaceId }) => workspaceId),
      deltas.map(({ sourceId }) => sourceId),
      deltas.map(({ destinationId }) => destinationId),
      deltas.map(({ kind }) => kind),
      deltas.map(({ reason }) => reason),
      deltas.map(({ count }) => count),
      mark.writer,
      mark.number,
    ])
    if (!answer?.serving) throw new NotServingError()
    if (!answer.noted) throw new InvariantError('two writers have the same id')
    return rows.map((row, index) => storedBatch(row, Number(answer.positions[index]), sizes[index] ?? 0))
  }
}

interface Insert {
  readonly duplicates: readonly (readonly number[])[]
  readonly rows: readonly Row[]
  readonly mark: WriteMark
}

function storedBatch(row: Row, position: number, bytes: number): StoredBatch {
  const { from, batch, lane, texts, events, isExact } = row
  const { isExact: _, ...rest } = batch
  return { from, isExact: isExact && events.length === texts.length, batch: { ...rest, events, lane, bytes, position } }
}

/** Finds rows that a statement has stored whose answer was lost: the newest ones that look like them. */
async function findStored(query: Query, rows: readonly Row[]): Promise<readonly StoredBatch[]> {
  const { sizes } = textOf(rows)
  const found = await query<{ position: number | null }>(newestLike, [
    rows.map(({ batch }) => batch.workspaceId),
    rows.map(({ lane }) => lane),
    rows.map(({ batch }) => batch.sourceId),
    rows.map(({ batch }) => batch.receivedAt),
    sizes,
  ])
  return rows.map((row, index) => {
    const stored = storedBatch(row, found[index]?.position ?? 0, sizes[index] ?? 0)
    // One of another process may look the same, so that readers get what is stored.
    return { ...stored, isExact: false }
  })
}

interface Stored {
  readonly duplicates: readonly (readonly number[])[]
  readonly batches: readonly StoredBatch[]
}

interface StoredBatch {
  /** Places of its calls in the group. */
  readonly from: ReadonlySet<number>
  readonly isExact: boolean
  readonly batch: LaneBatch
}

interface Row {
  /** Places of its calls in the group. */
  readonly from: Set<number>
  readonly batch: NewLogBatch
  readonly lane: number
  /** Its events, and the JSON text of each. */
  readonly events: Event[]
  readonly texts: string[]
  /** Whether the events are exactly what their texts say. */
  isExact: boolean
}

/** Returns one row per source and lane. Calls that come together share rows, because a row costs as much as an event. */
function rowsOf(calls: readonly Call[], duplicates: readonly (readonly number[])[]): readonly Row[] {
  const rows = new Map<string, Row>()
  for (const [call, { batch, texts, lanes }] of calls.entries()) {
    const left = new Set(duplicates[call])
    const origin = JSON.stringify([batch.workspaceId, batch.sourceId, batch.writeKey, batch.destinationIds])
    for (const [place, text] of texts.entries()) {
      if (left.has(place)) continue
      const lane = lanes[place] ?? 0
      const key = `${lane} ${origin}`
      const row = rows.get(key) ?? { from: new Set(), batch, lane, events: [], texts: [], isExact: true }
      rows.set(key, row)
      row.from.add(call)
      row.texts.push(text)
      const event = batch.events[place]
      if (event) row.events.push(event)
      row.isExact &&= batch.isExact === true
    }
  }
  return [...rows.values()]
}

/**
 * Writes the events of rows as lists of JSON, one after the other, right into the bytes that are sent: joined as strings,
 * they would be copied several times. @returns them, and the bytes of each list.
 */
function textOf(rows: readonly Row[]): { readonly text: Buffer; readonly sizes: readonly number[] } {
  // Two brackets, and a comma between two events.
  const sizes = rows.map(({ texts }) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), texts.length + 1))
  const text = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, Math.max(0, rows.length - 1)))
  let at = 0
  for (const [place, { texts }] of rows.entries()) {
    if (place > 0) text[at++] = separator
    for (const [n, each] of texts.entries()) {
      text[at++] = n === 0 ? opening : comma
      at += text.write(each, at)
    }
    text[at++] = closing
  }
  return { text, sizes }
}

/** Remembers the messages of the calls. @returns of each call, the places of events that were accepted before. */
async function findDuplicates(
  query: Query,
  calls: readonly Call[],
  limit: DigestLimit,
): Promise<readonly (readonly number[])[]> {
  const digests = calls.map(({ batch, messageIds }) =>
    messageIds.map((messageId) => messageDigest(batch.workspaceId, batch.sourceId, messageId)),
  )
  const windowMs = Math.max(...calls.map(({ deduplication }) => deduplication?.windowMs ?? 0))
  const offered = new Map<string, { readonly digest: Buffer; readonly at: number }>()
  for (const [place, { batch }] of calls.entries())
    for (const digest of digests[place] ?? [])
      if (!offered.has(digest.toString('hex'))) offered.set(digest.toString('hex'), { digest, at: batch.receivedAt })
  const fresh = new Set<string>()
  const all = [...offered.values()]
  const answer = await query<{ digest: Buffer; seq: number }>(rememberDigests, [
    all.map(({ digest }) => digest),
    all.map(({ at }) => at),
    windowMs,
  ])
  for (const { digest } of answer) fresh.add(digest.toString('hex'))
  const idsMax = Math.min(...calls.map((call) => call.deduplication?.idsMax ?? Number.MAX_SAFE_INTEGER))
  await limit.keep(
    query,
    answer.reduce((last, { seq }) => Math.max(last, seq), 0),
    idsMax,
  )
  return digests.map((own) =>
    // The first one is taken, later ones of the same group are duplicates of it.
    own.flatMap((digest, place) => (fresh.delete(digest.toString('hex')) ? [] : place)),
  )
}

// In order of digest, so that two processes never wait for each other.
const rememberDigests = `
  insert into message_digest (digest, at)
  select digest, at from unnest($1::bytea[], $2::bigint[]) as offered (digest, at) order by digest
  on conflict (digest) do update set at = excluded.at, seq = default
    where message_digest.at <= excluded.at - $3::bigint or message_digest.at >= excluded.at + $3::bigint
  returning digest, seq`

const newestLike = `
  select (
    select position from log_batch as batch
    where batch.workspace_id = offered.workspace_id and batch.lane = offered.lane
      and batch.source_id = offered.source_id and batch.received_at = offered.received_at and batch.bytes = offered.bytes
    order by position desc limit 1
  ) as position
  from unnest($1::text[], $2::int[], $3::text[], $4::bigint[], $5::bigint[]) with ordinality
    as offered (workspace_id, lane, source_id, received_at, bytes, place)
  order by place`

// Positions are drawn in a query of its own above the locks: before them, they could become visible out of order.
const insertRows = `
  with serving as materialized (select 1 from node where id = $1 for key share),
  ${noted('$16', '$17', 'exists (select from serving)')},
  offered as materialized (
    select * from unnest(
      $2::text[], $3::int[], $4::text[], $5::text[], $6::bigint[], $7::text[],
      string_to_array($8::text, E'\\x1e'), $9::bigint[]
    ) with ordinality
      as each (workspace_id, lane, source_id, write_key, received_at, destination_ids_json, events_json, bytes, place)
  ),
  locked as materialized (
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(workspace_id, lane) as key from offered order by 1
    ) as keys
  ),
  numbered as materialized (
    select nextval('log_position') as position, after_locks.* from (
      select offered.* from offered cross join (select count(*) from locked) as all_locked
      where exists (select from noted) order by place
    ) as after_locks
  ),
  inserted as (
    insert into log_batch (
      workspace_id, lane, position, source_id, write_key, received_at, destination_ids_json, events_json, bytes
    )
    select workspace_id, lane, position, source_id, write_key, received_at, destination_ids_json, events_json, bytes
    from numbered
  ),
  counted as (
    insert into count_delta (workspace_id, source_id, destination_id, kind, reason, amount)
    select * from unnest($10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::bigint[])
    where exists (select from noted)
  )
  select
    (select count(*) from serving) as serving,
    (select count(*) from noted) as noted,
    (select coalesce(array_agg(position::text order by place), '{}') from numbered) as positions`

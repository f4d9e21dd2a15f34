import { InvariantError } from '@sluice/core'
import type { CountDelta } from '@sluice/pipeline'
import type { WriteMark } from '@sluice/storage/sql'
import pg from 'pg'
import type { Query } from '../../connect/connect.ts'
import { noted } from '../../connect/numbered-writes.ts'
import { NotServingError } from '../../membership/not-serving-error.ts'
import { addNamedIf, namedApart } from '../../named-apart.ts'
import { repeatedMessage } from '../../schema/refuse-repeated.ts'
import { type LogRow, type StoredRow, storedRow, textOf } from './log-row.ts'
import { type OfferedMessages, remember } from './offered-messages.ts'

export interface Insert {
  readonly nodeId: string
  readonly mark: WriteMark
  readonly rows: readonly LogRow[]
  readonly counts: readonly CountDelta[]
  /** Messages to remember with the rows. None may be remembered before. */
  readonly fresh?: OfferedMessages | undefined
}

interface Inserted {
  readonly rows: readonly StoredRow[]
  /** The newest of the numbers of the messages that were remembered; 0 when there were none. */
  readonly last: number
}

/**
 * Appends rows in one statement. A lock per lane, taken by the statement itself, makes positions visible in order: a reader that
 * has seen one has seen all smaller ones of the lane.
 * @throws NotServingError; an error that `isRepeated` knows when one of `fresh` is remembered: nothing is stored then.
 */
export async function insertRows(query: Query, { nodeId, mark, rows, counts, fresh }: Insert): Promise<Inserted> {
  const { text, sizes } = textOf(rows)
  const { plain, namedJson } = namedApart(counts)
  const values = [
    nodeId,
    rows.map(({ batch }) => batch.workspaceId),
    rows.map(({ lane }) => lane),
    rows.map(({ batch }) => batch.sourceId),
    rows.map(({ batch }) => batch.writeKey),
    rows.map(({ batch }) => batch.receivedAt),
    rows.map(({ batch }) => JSON.stringify(batch.destinationIds)),
    text,
    sizes,
    plain.map(({ workspaceId }) => workspaceId),
    plain.map(({ sourceId }) => sourceId),
    plain.map(({ destinationId }) => destinationId),
    plain.map(({ kind }) => kind),
    plain.map(({ reason }) => reason),
    plain.map(({ count }) => count),
    mark.writer,
    mark.number,
    namedJson,
  ]
  const [answer] = await (fresh === undefined
    ? query<Answer>(insertAll, values)
    : query<Answer>(insertFresh, [
        ...values,
        fresh.all.map(({ digest }) => digest),
        fresh.all.map(({ at }) => at),
        fresh.windowMs,
      ]))
  if (!answer?.serving) throw new NotServingError()
  if (!answer.noted) throw new InvariantError('two writers have the same id')
  return {
    rows: rows.map((row, index) => storedRow(row, Number(answer.positions[index]), sizes[index] ?? 0)),
    last: answer.last,
  }
}

interface Answer {
  readonly serving: number
  readonly noted: number
  readonly positions: readonly string[]
  readonly last: number
}

/** Whether a statement was refused because a message is remembered. */
export function isRepeated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === repeatedMessage
}

// Positions are drawn in a query of its own above the locks: before them, they could become visible out of order.
const inserting = (remembered: string, isFresh: string, last: string): string => `
  with serving as materialized (select 1 from node where id = $1 for key share),
  ${noted('$16', '$17', 'exists (select from serving)')},
  ${remembered}
  offered as materialized (
    select * from unnest(
      $2::text[], $3::int[], $4::text[], $5::text[], $6::bigint[], $7::text[],
      string_to_array($8::text, E'\\x1e'), $9::bigint[]
    ) with ordinality
      as each (workspace_id, lane, source_id, write_key, received_at, destination_ids_json, events_json, bytes, place)
  ),
  locked as materialized (
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(workspace_id, lane) as key from offered where ${isFresh} order by 1
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
  ),
  ${addNamedIf('$18', 'exists (select from noted)')}
  select
    (select count(*) from serving) as serving,
    (select count(*) from noted) as noted,
    (select coalesce(array_agg(position::text order by place), '{}') from numbered) as positions,
    ${last} as last`

const insertAll = inserting('', 'true', '0')

/** Messages are remembered before a lane is locked, so that no lock of a lane waits for another process. */
const insertFresh = inserting(
  `remembered as (${remember('$19', '$20', '$21', 'exists (select from noted)')}),
  fresh as materialized (
    select coalesce(max(seq), 0) as last,
      case when count(*) < cardinality($19) and exists (select from noted) then refuse_repeated() else true end is_fresh
    from remembered
  ),`,
  '(select is_fresh from fresh)',
  '(select last from fresh)',
)

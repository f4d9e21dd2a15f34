import type { LogBatch } from '@sluice/pipeline'
import { batchOf, type LogRow } from '@sluice/storage/sql'

/** A batch of one lane: events of one call whose users share it. */
export interface LaneBatch extends LogBatch {
  readonly lane: number
  /** Of the JSON text of its events. */
  readonly bytes: number
}

export interface LaneRow extends LogRow {
  readonly position: number
  readonly lane: number
}

export function laneBatchOf(row: LaneRow): LaneBatch {
  return { ...batchOf(row), lane: row.lane, bytes: row.bytes }
}

/**
 * Reads what is behind a position in each of some lanes, the oldest of each first.
 * Values: workspaces, lanes and positions, as lists of one length; rows per lane; rows in all.
 */
export const readLanes = `
  select batch.* from unnest($1::text[], $2::int[], $3::bigint[]) as place (workspace_id, lane, after)
  cross join lateral (
    select * from log_batch
    where log_batch.workspace_id = place.workspace_id and log_batch.lane = place.lane
      and log_batch.position > place.after
    order by log_batch.position limit $4
  ) as batch
  order by batch.position limit $5`

/** The same, as far as the sizes of the texts together are not above a number of bytes, the sixth value; at least one row. */
export const readLanesWithin = `
  select * from (
    select found.*, sum(found.bytes) over (order by found.position) as upto from (${readLanes}) as found
  ) as summed
  where upto <= $6 or upto = bytes order by position`

/** The sixth value where there is no limit. */
export const anyBytes = Number.MAX_SAFE_INTEGER

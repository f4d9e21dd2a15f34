import type { LostBatches } from '@sluice/pipeline'
import type { Query } from '../connect/connect.ts'

/** What the database had acknowledged and lacked when it was served again, as after a fail-over to an asynchronous standby. */
export interface Loss {
  /** Milliseconds since the epoch, on the clock of the database. */
  readonly noticedAt: number
  /** Positions of the first and the last batch of the log that are missing; absent when only changes are. */
  readonly from?: number
  readonly to?: number
  readonly batches: number
  readonly events: number
  /** Changes of regulations, code and configuration that are missing. The ledger puts regulations back. */
  readonly changes: number
  /**
   * False when more may be missing: older batches than processes remember, or those that only processes knew that are gone, or
   * that have not said yet what they knew.
   */
  readonly isExact: boolean
  /** Who has confirmed it, and when; absent until then. */
  readonly confirmed?: { readonly by: string; readonly at: number }
}

interface LossRow {
  readonly at: number
  readonly from: number | null
  readonly to: number | null
  readonly batches: number
  readonly events: number
  readonly changes_lost: number
  readonly is_exact: boolean
  readonly confirmed_at: number | null
  readonly confirmed_by: string | null
}

/** Returns all losses, the oldest first. */
export async function readLosses(query: Query): Promise<readonly Loss[]> {
  const rows = await query<LossRow>(
    `select at, min(position) as "from", max(position) as "to", count(position) as batches,
       coalesce(sum(events), 0) as events, changes_lost, is_exact and took_part <@ have_noted as is_exact,
       confirmed_at, confirmed_by
     from resumption left join lost_batch on resumption_id = id where is_loss
     group by resumption.id order by resumption.id`,
  )
  return rows.map((row) => ({
    noticedAt: row.at,
    ...(row.from === null || row.to === null ? {} : { from: row.from, to: row.to }),
    batches: row.batches,
    events: row.events,
    changes: row.changes_lost,
    isExact: row.is_exact,
    confirmed: row.confirmed_at === null ? undefined : { by: row.confirmed_by ?? '', at: row.confirmed_at },
  }))
}

export function toLostBatches({ from, to, batches, noticedAt }: Loss): readonly LostBatches[] {
  return from === undefined || to === undefined ? [] : [{ from, to, batches, noticedAt }]
}

/**
 * Confirms all losses that were not confirmed, and writes that into the audit log of every workspace.
 * @param by name of the operator. @returns them, as they are now.
 */
export async function confirmLosses(query: Query, by: string): Promise<readonly Loss[]> {
  const [confirmed] = await query<{ at: number }>(confirm, [by])
  return (await readLosses(query)).filter((loss) => loss.confirmed !== undefined && loss.confirmed.at === confirmed?.at)
}

/** In one statement, so that no loss is confirmed without an entry. */
const confirm = `
  with confirmed as (
    update resumption set confirmed_at = (extract(epoch from statement_timestamp()) * 1000)::bigint, confirmed_by = $1
    where is_loss and confirmed_at is null returning confirmed_at
  ),
  one as (select max(confirmed_at) as at from confirmed having count(*) > 0),
  audited as (
    insert into audit_entry (workspace_id, token, user_name, method, path, status, at)
    select workspace_id, '', $1, 'POST', 'sluice cluster confirm-loss', 200, one.at
    from one, (select distinct workspace_id from log_cursor) as every
  )
  select at from one`

import type { Query } from '../connect/connect.ts'

/**
 * Returns a warning when a standby follows the database that may lack acknowledged transactions when it takes its place.
 * Without special rights, `pg_receivewal` looks the same as a standby.
 */
export async function readStandbyWarning(query: Query): Promise<string | undefined> {
  const [row] = await query<{ names: string; standbys: number }>(
    `select current_setting('synchronous_standby_names') as names, count(*) as standbys
     from pg_stat_replication as standby
     where coalesce(state, 'streaming') in ('startup', 'catchup', 'streaming') and not exists (
       select from pg_replication_slots where active_pid = standby.pid and slot_type = 'logical'
     )`,
  )
  if (row === undefined || row.standbys === 0 || row.names !== '') return undefined
  return `the database has ${row.standbys === 1 ? 'a standby' : `${row.standbys} standbys`} and no synchronous_standby_names: events that were acknowledged are lost when an asynchronous standby takes its place; name a synchronous one, or expect to run sluice cluster confirm-loss`
}

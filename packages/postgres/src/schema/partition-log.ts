import type { Migration } from '@sluice/storage/sql'
import { sql } from 'kysely'

/**
 * Positions of one partition of the log: far more than are used before the next one begins, and 2^29 partitions fit into
 * the whole numbers of JavaScript.
 */
export const partitionSpan = 2 ** 24

/** Empty partitions behind the one that is written, should no process look after them for a while. */
export const aheadMin = 2

/**
 * Makes the log a table in parts by position, which are dropped as a whole: rows need not be deleted. The batches that
 * are there become the first part, without being copied.
 *
 * The functions run with the rights of who owns the tables, so that processes need none to change them.
 */
export const partitionLog: Migration = async (db) => {
  const span = sql.lit(partitionSpan)
  const { rows } = await sql<{ schema: string; first: number }>`
    select current_schema() as schema, last_value / ${span} as first from log_position`.execute(db)
  const { schema = '', first = 0 } = rows[0] ?? {}
  const table = sql.id(`log_batch_${first}`)
  const path = sql`set search_path = ${sql.id(schema)}, pg_temp`
  await sql`alter table log_batch rename to ${table}`.execute(db)
  await sql`alter index log_batch_pkey rename to ${sql.id(`log_batch_${first}_pkey`)}`.execute(db)
  await sql`create table log_batch (like ${table} including defaults including compression) partition by range (position)`.execute(
    db,
  )
  await sql`alter table log_batch add primary key (workspace_id, lane, position)`.execute(db)
  await sql`
    alter table log_batch attach partition ${table} for values from (minvalue) to (${sql.lit((first + 1) * partitionSpan)})`.execute(
    db,
  )
  await sql`create table log_partition (number bigint primary key, began_at bigint not null default 0)`.execute(db)
  await sql`
    insert into log_partition (number, began_at)
    values (${sql.lit(first)}, (extract(epoch from clock_timestamp()) * 1000)::bigint)`.execute(db)
  // Created apart, and attached when it is ready: no statement waits.
  await sql`
    create function add_log_partition(added bigint) returns void language plpgsql security definer ${path} as $$
    begin
      if not pg_try_advisory_xact_lock(hashtextextended(current_schema(), 3)) then return; end if;
      if exists (select from log_partition where number = added) then return; end if;
      execute format('create table log_batch_%s (like log_batch including all)', added);
      perform set_config('lock_timeout', '100', true);
      execute format(
        'alter table log_batch attach partition log_batch_%s for values from (%s) to (%s)',
        added, added * ${span}, (added + 1) * ${span}
      );
      insert into log_partition (number) values (added);
    exception when lock_not_available then null;
    end $$`.execute(db)
  // Appends wait behind a drop that waits for a reader, so it does not wait for long.
  await sql`
    create function drop_log_partition(dropped bigint) returns boolean language plpgsql security definer ${path} as $$
    begin
      perform set_config('lock_timeout', '100', true);
      execute format('drop table log_batch_%s', dropped);
      delete from log_partition where number = dropped;
      return true;
    exception when lock_not_available or undefined_table then return false;
    end $$`.execute(db)
  for (const name of ['add_log_partition', 'drop_log_partition'])
    await sql`revoke execute on function ${sql.id(name)} from public`.execute(db)
  await sql`alter table log_trimmed add column whole_below bigint not null default 0`.execute(db)
  for (let ahead = 1; ahead <= 2; ahead += 1) await sql`select add_log_partition(${sql.lit(first + ahead)})`.execute(db)
}

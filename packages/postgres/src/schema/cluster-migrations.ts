import type { Migration } from '@sluice/storage/sql'
import { sql } from 'kysely'
import { laneCount } from '../lanes/lane-of.ts'
import { channelPrefix } from '../store-address.ts'
import { definedFiles, silentFiles } from './defined-files.ts'
import { partitionLog } from './partition-log.ts'
import { refuseRepeated } from './refuse-repeated.ts'
import { resumedProcesses, resumptions } from './resumptions.ts'
import { unknownMessages } from './unknown-messages.ts'

/** Steps of the tables that all SQL databases share, and of those of a cluster. */
export interface Steps {
  readonly shared: number
  readonly cluster: number
}

/** Numbers of the locks under which rare writes take turns over all processes: those of regulations, and all others. */
export const turns = { others: 1, regulations: 2 } as const

/** Steps that the first release with clusters knew, which did not write down what it knows. */
export const firstSteps: Steps = { shared: 15, cluster: 1 }

/**
 * Tables in which several processes keep one store: the log in lanes, counters as amounts to be added up, and who is there.
 * They come after those that all SQL databases share, and replace a few of them. A released step is never changed.
 */
export const clusterMigrations: readonly Migration[] = [
  async (db) => {
    for (const table of ['log_batch', 'log_cursor', 'message_digest', 'lost_batches'])
      await sql`drop table ${sql.table(table)}`.execute(db)
    await sql`create sequence log_position`.execute(db)
    await sql`
      create table log_batch (
        workspace_id text collate "C" not null,
        lane integer not null,
        position bigint not null,
        source_id text collate "C" not null,
        write_key text collate "C" not null,
        received_at bigint not null,
        destination_ids_json text collate "C" not null,
        events_json text collate "C" not null,
        bytes bigint not null,
        primary key (workspace_id, lane, position)
      )`.execute(db)
    // As dense as the default, and several times faster; some builds of the server lack it.
    await sql`
      do $$ begin
        alter table log_batch alter column events_json set compression lz4;
      exception when feature_not_supported then null;
      end $$`.execute(db)
    await sql`
      create table log_cursor (
        workspace_id text collate "C" not null,
        consumer text collate "C" not null,
        lane integer not null,
        position bigint not null,
        events_done bigint not null default 0,
        primary key (workspace_id, consumer, lane)
      ) with (fillfactor = 50)`.execute(db)
    await sql`
      create table message_digest (
        digest bytea primary key,
        at bigint not null,
        seq bigint not null generated always as identity
      )`.execute(db)
    await sql`create index message_digest_by_seq on message_digest (seq)`.execute(db)
    await sql`
      create table count_delta (
        workspace_id text collate "C" not null,
        source_id text collate "C" not null,
        destination_id text collate "C" not null,
        kind text collate "C" not null,
        reason text collate "C" not null,
        amount bigint not null
      )`.execute(db)
    await sql`
      create table node (
        id text collate "C" primary key,
        beat bigint not null,
        is_member boolean not null default false,
        applied bigint not null,
        passed bigint not null
      ) with (fillfactor = 50)`.execute(db)
    await sql`create table lane (number integer primary key, node_id text collate "C") with (fillfactor = 50)`.execute(
      db,
    )
    await sql`insert into lane (number) select generate_series(0, ${sql.lit(laneCount - 1)})`.execute(db)
    await sql`create table change_count (count bigint not null, of_code bigint not null)`.execute(db)
    await sql`insert into change_count (count, of_code) values (0, 0)`.execute(db)
    // In the transaction of the change itself, so that no change is missed.
    await sql`
      create function count_change() returns trigger language plpgsql as $$
      begin
        update change_count set count = count + 1, of_code = of_code + (tg_table_name = 'code_live')::int;
        return null;
      end $$`.execute(db)
    for (const table of ['regulation_change', 'code_live'])
      await sql`
        create trigger ${sql.ref(`${table}_counted`)} after insert or update on ${sql.table(table)}
        for each statement execute function count_change()`.execute(db)
    await sql`
      create table passing (
        id bigint primary key generated always as identity,
        workspace_id text collate "C" not null,
        destination_id text collate "C"
      )`.execute(db)
  },
  async (db) => {
    // The defaults are what processes of the release before this step have.
    await sql`
      alter table node
        add column is_draining boolean not null default false,
        add column lease_ms bigint not null default 5000,
        add column knows_shared integer not null default ${sql.lit(firstSteps.shared)},
        add column knows_cluster integer not null default ${sql.lit(firstSteps.cluster)}`.execute(db)
    await sql`
      create table migrated_table (
        name text collate "C" primary key,
        source text collate "C" not null,
        copied_to bigint not null,
        is_complete boolean not null default false
      )`.execute(db)
  },
  async (db) => {
    // Tells it as well, on the channel of the store: who waits for a change need not look for it.
    await sql`
      create or replace function count_change() returns trigger language plpgsql as $$
      declare counted change_count%rowtype;
      begin
        update change_count set count = count + 1, of_code = of_code + (tg_table_name = 'code_live')::int
          returning * into counted;
        perform pg_notify(${sql.lit(channelPrefix)} || tg_table_schema, format('change %s %s', counted.count, counted.of_code));
        return null;
      end $$`.execute(db)
    // Before a position is drawn, also by an older release: else a reader could see one before a smaller one.
    await sql`
      create function lock_changes() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtextextended(tg_table_schema::text, ${sql.lit(turns.regulations)}));
        return null;
      end $$`.execute(db)
    await sql`
      create trigger regulation_change_locked before insert on regulation_change
      for each statement execute function lock_changes()`.execute(db)
  },
  partitionLog,
  async (db) => {
    await sql`
      create table lane_start (
        workspace_id text collate "C" not null,
        consumer text collate "C" not null,
        lane integer not null,
        position bigint not null,
        tries bigint not null,
        suspects_json text collate "C" not null,
        trying_json text collate "C",
        primary key (workspace_id, consumer, lane)
      )`.execute(db)
    await sql`alter table node add column definition text collate "C" not null default ''`.execute(db)
  },
  async (db) => {
    // Counted as changes of code: both are applied by reading what is stored again.
    await sql`
      create or replace function count_change() returns trigger language plpgsql as $$
      declare counted change_count%rowtype;
      begin
        update change_count set count = count + 1,
          of_code = of_code + (tg_table_name in ('code_live', 'config_revision'))::int
          returning * into counted;
        perform pg_notify(${sql.lit(channelPrefix)} || tg_table_schema, format('change %s %s', counted.count, counted.of_code));
        return null;
      end $$`.execute(db)
    await sql`
      create trigger config_revision_counted after insert or update on config_revision
      for each statement execute function count_change()`.execute(db)
  },
  resumptions,
  definedFiles,
  silentFiles,
  resumedProcesses,
  refuseRepeated,
  unknownMessages,
  async (db) => {
    await sql`alter table node add column vitals_json text collate "C"`.execute(db)
  },
]

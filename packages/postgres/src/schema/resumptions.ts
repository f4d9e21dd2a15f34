import type { Migration } from '@sluice/storage/sql'
import { sql } from 'kysely'

/**
 * When processes resumed on another server, or on an earlier state of the database: where each lane ended then, which batches
 * were missing, and who has confirmed it.
 */
export const resumptions: Migration = async (db) => {
  await sql`
    create table resumption (
      id bigint primary key generated always as identity,
      at bigint not null,
      server text collate "C" not null,
      found_end bigint not null,
      found_changes bigint not null,
      resumed_at bigint not null,
      changes_lost bigint not null default 0,
      is_loss boolean not null default false,
      is_exact boolean not null default true,
      confirmed_at bigint,
      confirmed_by text collate "C"
    )`.execute(db)
  await sql`
    create table resumption_lane (
      resumption_id bigint not null references resumption on delete cascade,
      workspace_id text collate "C" not null,
      lane integer not null,
      end_position bigint not null,
      primary key (resumption_id, workspace_id, lane)
    )`.execute(db)
  await sql`
    create table lost_batch (
      resumption_id bigint not null references resumption on delete cascade,
      position bigint not null,
      workspace_id text collate "C" not null,
      events bigint not null,
      primary key (resumption_id, position)
    )`.execute(db)
}

/**
 * Which processes took part before, and which of them have said what they knew: the others may have known of more that is
 * missing. Empty for older resumptions.
 */
export const resumedProcesses: Migration = async (db) => {
  await sql`
    alter table resumption
      add column took_part text[] collate "C" not null default '{}',
      add column have_noted text[] collate "C" not null default '{}'`.execute(db)
}

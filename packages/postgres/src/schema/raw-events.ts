import type { Migration } from '@sluice/storage/sql'
import { sql } from 'kysely'

/** What completes events that are kept as they were sent. The shared step of this name adds it to a store that is older. */
export const rawEvents: Migration = async (db) => {
  await sql`alter table log_batch add column if not exists completion_json text`.execute(db)
  // Releases look at what the store needs when they start. A process that was silent, and joins again, does not: the server
  // refuses it.
  await sql`
    create function refuse_older() returns trigger language plpgsql as $$
    declare needed bigint;
    begin
      execute format('select readable_from from %I.store_version where part = ''cluster''', tg_table_schema) into needed;
      if new.knows_cluster < needed then
        raise exception 'a newer release has changed what the store keeps: this one cannot use it any more';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger older_refused before insert on node
    for each row execute function refuse_older()`.execute(db)
}

/** Steps of a cluster that a release must know to read such events: up to this one. */
export const rawSteps = 10

import type { Migration } from '@sluice/storage/sql'
import { sql } from 'kysely'

/**
 * The files that define workspaces: when each was first seen, and where it lets events go. A process says which one it has, and
 * for how long it remembers messages to find duplicates.
 */
export const definedFiles: Migration = async (db) => {
  await sql`
    create table defined_file (
      digest text collate "C" primary key,
      seen_at bigint not null,
      revision bigint not null,
      routes_json text collate "C" not null
    )`.execute(db)
  await sql`
    alter table node
      add column file text collate "C" not null default '',
      add column deduplication_ms bigint`.execute(db)
}

/** When a process with the file went silent, while none has left it since: it may come back. Null otherwise. */
export const silentFiles: Migration = async (db) => {
  await sql`alter table defined_file add column silent_at bigint`.execute(db)
}

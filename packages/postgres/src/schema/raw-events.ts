import type { Migration } from '@sluice/storage/sql'
import { sql } from 'kysely'

/** What completes events that are kept as they were sent. The shared step of this name adds it to a store that is older. */
export const rawEvents: Migration = async (db) => {
  await sql`alter table log_batch add column if not exists completion_json text`.execute(db)
}

/** Steps of a cluster that a release must know to read such events: up to this one. */
export const rawSteps = 10

import type { Migration } from '@sluice/storage/sql'
import { sql } from 'kysely'

/** SQLSTATE of a statement that was to append messages, when one of them is remembered. */
export const repeatedMessage = 'SLREP'

/** A function that ends a statement: without it, appending without duplicates would take a transaction of several round trips. */
export const refuseRepeated: Migration = async (db) => {
  await sql`
    create function refuse_repeated() returns boolean language plpgsql as $$
    begin
      raise exception 'a message was accepted before' using errcode = ${sql.lit(repeatedMessage)};
    end $$`.execute(db)
}

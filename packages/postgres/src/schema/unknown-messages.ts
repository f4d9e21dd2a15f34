import type { Migration } from '@sluice/storage/sql'
import { sql } from 'kysely'

/**
 * A function that returns those of some messages that are not remembered within a window, by digest and time.
 *
 * Each is looked up by its digest. The plan of a statement is kept for as long as the server has not analysed the table
 * again, and one that was made for a few messages would read the whole table for each: within a minute of load, a statement
 * took 13 s. Plans of the function are made without that choice.
 */
export const unknownMessages: Migration = async (db) => {
  await sql`
    create function unknown_messages(digests bytea[], times bigint[], window_ms bigint)
      returns table (new_digest bytea, new_at bigint) language plpgsql stable set enable_seqscan = off as $$
    begin
      return query
        select offered.digest, offered.at from unnest(digests, times) as offered (digest, at)
        where (
          select known.at > offered.at - window_ms and known.at < offered.at + window_ms
          from message_digest as known where known.digest = offered.digest
        ) is not true;
    end $$`.execute(db)
}

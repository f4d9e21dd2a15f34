import type { SqlDialect } from '@sluice/storage/sql'
import { sql } from 'kysely'
import pg from 'pg'
import { isOfOneWrite } from '../of-one-write.ts'

/**
 * Returns what PostgreSQL does in its own way.
 * @param part whose version is read and written: the tables that all databases share, and those of clusters, have steps of
 * their own.
 */
export function postgresDialect(part: 'shared' | 'cluster'): SqlDialect {
  return {
    types: {
      text: sql`text collate "C"`,
      bytes: 'bytea',
      key: ['bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity()],
      sequence: ['bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity()],
    },
    readVersion: async (db) => {
      const { rows } = await sql<{ version: number }>`select version from store_version where part = ${part}`.execute(
        db,
      )
      return rows[0]?.version ?? 0
    },
    writeVersion: async (db, version) => {
      await sql`
        insert into store_version (part, version) values (${part}, ${version})
        on conflict (part) do update set version = excluded.version`.execute(db)
    },
    now: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    isOfOneWrite,
    isDiskFull: (error) => error instanceof pg.DatabaseError && error.code === '53100',
  }
}

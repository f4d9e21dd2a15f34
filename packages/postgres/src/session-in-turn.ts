import { InvariantError, type Random } from '@sluice/core'
import { openSession } from '@sluice/storage/sql'
import { CompiledQuery } from 'kysely'
import type { Connection } from './connect/connect.ts'
import { createNumberedWrites, noted } from './connect/numbered-writes.ts'
import { NotServingError } from './membership/not-serving-error.ts'
import { postgresDialect } from './schema/postgres-dialect.ts'

/** Waits for the turn of rare writes, and notes the one that begins. */
const beginTurn = `
  with serving as materialized (select 1 from node where id = $1 for key share),
  ${noted('$3', '$4', 'exists (select from serving)')}
  select pg_advisory_xact_lock(hashtextextended(current_schema(), $2)),
    (select count(*) from serving) as serving, (select count(*) from noted) as noted`

interface SessionInTurnOptions {
  readonly connection: Connection
  readonly random: Random
  readonly nodeId: () => string
  /** Sessions of one number, in all processes, write one after the other. */
  readonly turn: number
}

/**
 * Opens a session for rare writes, which take turns over all processes, as they do in a store that one process has for
 * itself. A process that does not serve any more gets a NotServingError.
 */
export function openSessionInTurn({
  connection,
  random,
  nodeId,
  turn,
}: SessionInTurnOptions): ReturnType<typeof openSession> {
  return openSession(
    { db: connection.db, dialect: postgresDialect('shared'), place: connection.place },
    {
      numbered: {
        once: createNumberedWrites({ query: connection.query, random }),
        begin: async (db, { writer, number }) => {
          const { rows } = await db.executeQuery<{ serving: number; noted: number }>(
            CompiledQuery.raw(beginTurn, [nodeId(), turn, writer, number]),
          )
          if (!rows[0]?.serving) throw new NotServingError()
          if (!rows[0].noted) throw new InvariantError('two writers have the same id')
        },
      },
    },
  )
}

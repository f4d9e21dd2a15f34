import { mayBeOf, type SqlSession, withoutUsers } from '@sluice/storage/sql'
import { sql } from 'kysely'
import { laneCount } from '../lanes/lane-of.ts'

/** Batches in one transaction, so that other writes do not wait long. */
const batchesPerTransaction = 200

/**
 * Puts erased events in the place of those of some users: see `EventLog.forgetUsers`. Reads all lanes, because an event
 * may name a user by another identifier than the one that chose its lane.
 */
export async function forgetUsers(
  { write }: SqlSession,
  workspaceId: string,
  userIds: readonly string[],
): Promise<number> {
  const wanted = new Set(userIds)
  let erased = 0
  for (let lane = 0; lane < laneCount; lane += 1) {
    for (let after = 0; ; ) {
      const step = await write({
        apply: async (db) => {
          const { rows } = await sql<{ position: number; events_json: string }>`
            select position, events_json from log_batch
            where workspace_id = ${workspaceId} and lane = ${lane} and position > ${after}
            order by position limit ${batchesPerTransaction}`.execute(db)
          let found = 0
          for (const { position, events_json } of rows) {
            if (!mayBeOf(events_json, wanted)) continue
            const without = withoutUsers(JSON.parse(events_json), wanted)
            if (without.erased === 0) continue
            found += without.erased
            const text = JSON.stringify(without.kept)
            await sql`
              update log_batch set events_json = ${text}, bytes = ${Buffer.byteLength(text)}
              where workspace_id = ${workspaceId} and lane = ${lane} and position = ${position}`.execute(db)
          }
          return { found, last: rows.at(-1)?.position }
        },
      })
      erased += step.found
      if (step.last === undefined) break
      after = step.last
    }
  }
  return erased
}

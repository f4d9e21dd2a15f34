import type { LogPosition } from '@sluice/pipeline'
import type { NewVersion } from '@sluice/schema'
import { compiledOnce } from '../compiled-once.ts'
import type { SqlSchemaRows } from '../schema/sql-schema-rows.ts'
import type { Db } from '../sql-session.ts'
import { type LaneOf, putDeferred } from '../stores/flow/put-deferred.ts'
import { addCounts } from '../stores/flow/sql-counter-store.ts'
import type { SqlDeadLetterStore } from '../stores/flow/sql-dead-letter-store.ts'
import type { SqlReceiptStore } from '../stores/flow/sql-receipt-store.ts'
import type { ProgressRow } from './log-rows.ts'

/** What a commit writes beside the cursor. */
export interface ProgressStores {
  readonly receipts: SqlReceiptStore
  readonly deadLetters: Pick<SqlDeadLetterStore, 'put'>
  readonly schema: Pick<SqlSchemaRows, 'mergeInto'>
  readonly laneOf: LaneOf
}

/** Moves a cursor, and stores the results that come with it; nothing when the cursor is there already. @returns new versions of events. */
export async function applyProgress(
  db: Db,
  progress: ProgressRow,
  { receipts, deadLetters, schema, laneOf }: ProgressStores,
): Promise<readonly NewVersion[]> {
  const { workspaceId, consumer, position, eventsDone = 0 } = progress
  const { numAffectedRows } = await moveCursor(db, { workspaceId, consumer, position, eventsDone })
  if (numAffectedRows === 0n) return []
  addCounts(db, progress.counts)
  await receipts.put(db, progress.receipts)
  await putDeferred(db, progress.deferred ?? [], laneOf)
  await deadLetters.put(db, progress.deadLetters ?? [])
  const { observed_json } = progress
  return observed_json === undefined ? [] : schema.mergeInto(db, workspaceId, JSON.parse(observed_json))
}

interface MovedCursor {
  readonly workspaceId: string
  readonly consumer: string
  readonly position: LogPosition
  readonly eventsDone: number
}

const moveCursor = compiledOnce<MovedCursor, unknown>(
  ['workspaceId', 'consumer', 'position', 'eventsDone'],
  (db, { workspaceId, consumer, position, eventsDone }) =>
    db
      .updateTable('log_cursor')
      .set({ position, events_done: eventsDone })
      .where('workspace_id', '=', workspaceId)
      .where('consumer', '=', consumer)
      .where(({ or, and, eb }) =>
        or([eb('position', '<', position), and([eb('position', '=', position), eb('events_done', '<', eventsDone)])]),
      ),
)

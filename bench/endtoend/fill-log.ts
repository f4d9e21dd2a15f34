import { join } from 'node:path'
import { openDatabase } from './open-database.ts'

export interface FillLogOptions {
  /** The folder of the store, which no process has open. Its consumers are registered. */
  readonly folder: string
  readonly workspaceId: string
  readonly sourceId: string
  readonly writeKey: string
  /** The destination that the events wait for. All other consumers are behind them. */
  readonly destinationId: string
  readonly events: number
}

/** Events in each row: those of a usual call. */
const eventsPerRow = 20
/** How many rows are written between two words about it. */
const rowsPerStep = 50_000

/**
 * Puts simulated events into the log of a store in SQLite, as if they had been accepted and had waited since for one
 * destination. They are small, with a user for each row: 10 million take a gigabyte, and less than a minute.
 */
export function fillLog({ folder, workspaceId, sourceId, writeKey, destinationId, events }: FillLogOptions): void {
  const db = openDatabase(join(folder, 'sluice.db'))
  // Nothing here has to outlive a crash.
  for (const each of ['locking_mode=exclusive', 'journal_mode=off', 'synchronous=off']) db.pragma(each)
  const rows = Math.ceil(events / eventsPerRow)
  const insert = db.prepare(`with recursive made(n) as (select @from union all select n + 1 from made where n < @to)
    insert into log_batch (workspace_id, source_id, write_key, received_at, destination_ids_json, events_json, bytes)
    select @workspaceId, @sourceId, @writeKey, @receivedAt, @destinations, text, octet_length(text)
    from (select replace(@events, 'ROW', n) as text from made)`)
  for (let from = 1; from <= rows; from += rowsPerStep) {
    const to = Math.min(rows, from + rowsPerStep - 1)
    insert.run({
      ...{ from, to, workspaceId, sourceId, writeKey },
      receivedAt: Date.now(),
      destinations: JSON.stringify([destinationId]),
      events: JSON.stringify(Array.from({ length: eventsPerRow }, (_, n) => simulatedEvent(n))),
    })
    process.stderr.write(`${to * eventsPerRow} of ${rows * eventsPerRow} events wait in the log\n`)
  }
  db.prepare(`update log_cursor set position = (select max(position) from log_batch)
    where workspace_id = ? and consumer not like ?`).run(workspaceId, `%${destinationId}`)
  db.pragma('journal_mode=wal')
  db.close()
}

/** Returns how many of the simulated events have not been read for their destination, in a store that no process has open. */
export function waitingIn({
  folder,
  workspaceId,
  sourceId,
  destinationId,
}: Omit<FillLogOptions, 'events' | 'writeKey'>): number {
  const db = openDatabase(join(folder, 'sluice.db'))
  const [found] = db
    .prepare(`select count(*) as batches from log_batch where source_id = ? and position >
      (select position from log_cursor where workspace_id = ? and consumer like ?)`)
    .all(sourceId, workspaceId, `%${destinationId}`) as { readonly batches: number }[]
  db.close()
  return (found?.batches ?? 0) * eventsPerRow
}

/** Its user and its id have a place for the number of the row. */
const simulatedEvent = (n: number) => ({
  type: 'track',
  event: 'Waited',
  userId: 'uROW',
  messageId: `wROW-${n}`,
  properties: { n },
})

import type { Db } from '@sluice/storage/sql'
import { sql } from 'kysely'
import type { CopiedTable, Row } from './copied-tables.ts'
import type { CopyParts } from './copy-parts.ts'
import { readMark, writeMark } from './migration-mark.ts'

/** Rows of one transaction. */
const rowsMax = 500

/** Copies what is not yet copied of a table, in the order in which rows were added. */
export async function copyTable(
  { source, target, onProgress, signal }: CopyParts,
  { name, numbered, change = (row) => row }: CopiedTable,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const mark = await readMark(target.query, name)
    if (mark.isComplete) return
    const { rows } = await sql<Row & { 'row id': number }>`
      select rowid as "row id", * from ${sql.table(name)} where rowid > ${mark.copiedTo} order by rowid
      limit ${rowsMax}`.execute(source)
    const copied = rows.map(({ 'row id': _, ...row }) => change(row))
    const columns = Object.keys(copied[0] ?? {}).filter((column) => column !== numbered)
    const copiedTo = rows.at(-1)?.['row id'] ?? mark.copiedTo
    await target.db.transaction().execute(async (transaction) => {
      if (copied.length > 0) await insertRows(transaction, name, columns, copied)
      if (name === 'regulation')
        await addChanges(
          transaction,
          copied.filter((row) => row['canceled'] === 0),
          'user_id',
        )
      if (name === 'regulation_identity') await addChanges(transaction, copied, 'identity')
      await writeMark(transaction, name, { copiedTo, isComplete: rows.length < rowsMax })
    })
    onProgress?.({ table: name, rows: rows.length })
  }
}

export async function insertRows(
  db: Db,
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`)
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)}`.execute(db)
}

/** Adds a change for each key of active regulations, from which the suppression index is built. */
async function addChanges(db: Db, rows: readonly Row[], key: 'user_id' | 'identity'): Promise<void> {
  const changes = rows.map((row): Row => ({ workspace_id: row['workspace_id'], user_id: row[key], delta: 1 }))
  if (changes.length > 0) await insertRows(db, 'regulation_change', ['workspace_id', 'user_id', 'delta'], changes)
}

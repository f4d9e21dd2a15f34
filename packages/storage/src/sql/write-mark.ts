import { writeIdMs } from '@sluice/pipeline/store'
import { sql } from 'kysely'
import { compiledOnce } from './compiled-once.ts'
import type { SqlDialect } from './sql-dialect.ts'
import type { Db } from './sql-session.ts'

/**
 * Names one write, which its transaction notes: when its answer was lost, the database still knows whether it was stored. The
 * writes of a writer have growing numbers, and it makes one after the other.
 */
export interface WriteMark {
  /** A UUID, or the id of a write that is the only one of its writer. */
  readonly writer: string
  /** 1 or more. */
  readonly number: number
}

/** Notes a write in its own transaction. @returns false when it was noted before: then nothing of it may be applied. */
async function noteWrite(db: Db, dialect: SqlDialect, mark: WriteMark): Promise<boolean> {
  const { rows } = await note(dialect)(db, mark)
  return rows.length > 0
}

/**
 * Returns what a write does in its transaction, unless one with the same id is stored.
 * @param writeId left out by a caller that does not try again. @param known what it returns when it is stored.
 */
export function unlessStored<Result>(
  dialect: SqlDialect,
  { writeId, known }: { readonly writeId: string | undefined; readonly known: Result },
  apply: (db: Db) => Promise<Result>,
): (db: Db) => Promise<Result> {
  if (writeId === undefined) return apply
  return async (db) => ((await noteWrite(db, dialect, { writer: writeId, number: 1 })) ? apply(db) : known)
}

/** Forgets writes that are not tried again any more. */
export async function forgetWrites(db: Db, dialect: SqlDialect): Promise<void> {
  await sql`delete from applied_write where at < ${dialect.now} - ${sql.lit(writeIdMs)}`.execute(db)
}

type Note = (db: Db, mark: WriteMark) => Promise<{ readonly rows: readonly unknown[] }>

const notes = new WeakMap<SqlDialect, Note>()

function note(dialect: SqlDialect): Note {
  const known = notes.get(dialect)
  if (known) return known
  const compiled = compiledOnce<WriteMark, unknown>(['writer', 'number'], (db, { writer, number }) =>
    db
      .insertInto('applied_write')
      .values({ writer, number, is_applied: 1, at: dialect.now })
      .onConflict((conflict) =>
        conflict
          .column('writer')
          .doUpdateSet((eb) => ({ number: eb.ref('excluded.number'), is_applied: 1, at: eb.ref('excluded.at') }))
          .whereRef('applied_write.number', '<', 'excluded.number'),
      )
      .returning('number'),
  )
  notes.set(dialect, compiled)
  return compiled
}

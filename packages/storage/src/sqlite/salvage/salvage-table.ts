import { sql } from 'kysely'
import type { Db } from '../../sql/sql-session.ts'

export interface RowRange {
  readonly from: number
  readonly to: number
}

export interface SalvagedTable {
  readonly copied: number
  /** Number of row ids in `lost`, including unused ones, and of rows that the table refused. */
  readonly unreadable: number
  /** Ranges of row ids in which nothing usable could be read. */
  readonly lost: readonly RowRange[]
}

/** Rows copied in one statement. */
const rowsMax = 1_000
/**
 * Failures in a row after which the size of the ranges to give up doubles, so that salvage always ends. One destroyed
 * page causes a few hundred.
 */
const failuresPerDoubling = 20_000
/** The same where the end of a table is unknown: nearly all failures are beyond it. */
const failuresPerDoublingAtMost = 200
/** Assumed largest row id where the end of the table is unknown. */
const unknownIdMax = 2 ** 40

/**
 * Copies what can be read of a table of the attached database `damaged` into the same table of `main`, in ranges of row
 * ids that shrink around unreadable ones.
 * @param idMax largest possible row id; undefined when unknown.
 * @param isUnreadable returns whether an error is caused by the stored data; any other error is thrown.
 */
export async function salvageTable(
  db: Db,
  table: string,
  columns: readonly string[],
  idMax: number | undefined,
  isUnreadable: (error: unknown) => boolean,
): Promise<SalvagedTable> {
  const lost: RowRange[] = []
  const failuresPerStep = idMax === undefined ? failuresPerDoublingAtMost : failuresPerDoubling
  let copied = 0
  let refused = 0
  let failures = 0
  const left: RowRange[] = [{ from: 0, to: idMax ?? unknownIdMax }]
  for (let range = left.pop(); range !== undefined; range = left.pop()) {
    let { from } = range
    const { to } = range
    try {
      for (;;) {
        const { rows, last } = await nextRows(db, table, { from, to })
        if (last === null) break
        const chunk = { from, to: last }
        const done = await db.transaction().execute((open) => copyRows(open, table, columns, chunk))
        copied += done.copied
        refused += rows - done.copied - done.broken.length
        for (const id of done.broken) addRange(lost, { from: id, to: id })
        failures = 0
        if (last >= to) break
        from = last + 1
      }
    } catch (error) {
      if (!isUnreadable(error)) throw error
      failures += 1
      const middle = from + Math.floor((to - from) / 2)
      const isGivenUp = to - from < 2 ** Math.floor(failures / failuresPerStep)
      if (isGivenUp) addRange(lost, { from, to })
      else left.push({ from: middle + 1, to }, { from, to: middle })
    }
  }
  return { copied, unreadable: refused + lost.reduce((sum, { from, to }) => sum + to - from + 1, 0), lost }
}

/** Returns the number of rows in the next chunk, and the id of its last row. */
async function nextRows(db: Db, table: string, { from, to }: RowRange) {
  const { rows } = await sql<{ rows: number; last: number | null }>`
    select count(*) as rows, max(id) as last from (
      select rowid as id from damaged.${sql.ref(table)} not indexed
      where rowid between ${from} and ${to} order by rowid limit ${rowsMax})`.execute(db)
  return rows[0] ?? { rows: 0, last: null }
}

/** @returns the number of copied rows, and the ids of rows with broken JSON; the table refused the others. */
async function copyRows(db: Db, table: string, columns: readonly string[], { from, to }: RowRange) {
  const json = columns.filter((column) => column.endsWith('_json'))
  const isValid =
    json.length === 0
      ? sql`1`
      : sql.join(
          json.map((column) => sql`(${sql.ref(column)} is null or json_valid(${sql.ref(column)}))`),
          sql` and `,
        )
  const copy = async (first: number, last: number, condition: typeof isValid): Promise<number> => {
    const list = sql.join(columns.map((column) => sql.ref(column)))
    const { numAffectedRows } = await sql`
      insert or ignore into main.${sql.ref(table)} (${list})
      select ${list} from damaged.${sql.ref(table)} not indexed
      where rowid between ${first} and ${last} and ${condition} order by rowid`.execute(db)
    return Number(numAffectedRows ?? 0n)
  }
  const broken: number[] = []
  let copied = await copy(from, to, isValid)
  if (json.length === 0) return { copied, broken }
  // SQLite rejects JSON nested more than a thousand levels; what JavaScript parses is valid.
  const doubtful = await sql<Readonly<Record<string, unknown>>>`
    select rowid as "row id", ${sql.join(json.map((column) => sql.ref(column)))} from damaged.${sql.ref(table)} not indexed
    where rowid between ${from} and ${to} and not (${isValid}) order by rowid`.execute(db)
  for (const { 'row id': id, ...texts } of doubtful.rows)
    if (Object.values(texts).every(isJson)) copied += await copy(Number(id), Number(id), sql`1`)
    else broken.push(Number(id))
  return { copied, broken }
}

function isJson(text: unknown): boolean {
  if (text === null) return true
  try {
    JSON.parse(String(text))
    return true
  } catch {
    return false
  }
}

/** Adds a range after all others, and joins it with an adjacent one. */
function addRange(ranges: RowRange[], range: RowRange): void {
  const before = ranges.at(-1)
  if (before?.to === range.from - 1) ranges[ranges.length - 1] = { from: before.from, to: range.to }
  else ranges.push(range)
}

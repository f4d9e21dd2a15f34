import { sql } from 'kysely'
import type { Db } from './sql-session.ts'

export interface RowRange {
  readonly from: number
  readonly to: number
}

export interface SalvagedTable {
  readonly copied: number
  /** Those row ids, whether they were given to rows or not, and rows the table refused. */
  readonly unreadable: number
  /** The row ids of which nothing usable could be read. */
  readonly lost: readonly RowRange[]
}

/** Rows copied in one statement. */
const rowsMax = 1_000
/**
 * After so many failures in a row larger and larger pieces are given up, so that an end is found in any case. One page
 * that is destroyed costs a few hundred.
 */
const failuresPerDoubling = 20_000
/** Where the end of a table is not known, nearly all that fails is behind it. */
const failuresPerDoublingAtMost = 200
/** No row has a larger id where the end of the table is not known. */
const unknownIdMax = 2 ** 40

/**
 * Copies what can be read of a table of the attached database `damaged` into the same table of `main`, in ranges of row
 * ids that shrink around what cannot be read.
 * @param idMax of a row that may be there; undefined when it is not known.
 * @param isUnreadable whether an error comes from what is stored; any other is thrown.
 */
export async function salvageTable(
  db: Db,
  table: string,
  columns: readonly string[],
  idMax: number | undefined,
  isUnreadable: (error: unknown) => boolean,
): Promise<SalvagedTable> {
  const lost: RowRange[] = []
  const patience = idMax === undefined ? failuresPerDoublingAtMost : failuresPerDoubling
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
      const isGivenUp = to - from < 2 ** Math.floor(failures / patience)
      if (isGivenUp) addRange(lost, { from, to })
      else left.push({ from: middle + 1, to }, { from, to: middle })
    }
  }
  return { copied, unreadable: refused + lost.reduce((sum, { from, to }) => sum + to - from + 1, 0), lost }
}

/** How many rows come next, and the id of the last of them. */
async function nextRows(db: Db, table: string, { from, to }: RowRange) {
  const { rows } = await sql<{ rows: number; last: number | null }>`
    select count(*) as rows, max(id) as last from (
      select rowid as id from damaged.${sql.ref(table)} not indexed
      where rowid between ${from} and ${to} order by rowid limit ${rowsMax})`.execute(db)
  return rows[0] ?? { rows: 0, last: null }
}

/** @returns how many were copied, and the ids of those whose JSON is none any more; others the table refuses. */
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
  // SQLite takes no JSON that is nested more than a thousand deep; what JavaScript reads is good.
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

/** Ranges come in order; neighbours become one. */
function addRange(ranges: RowRange[], range: RowRange): void {
  const before = ranges.at(-1)
  if (before?.to === range.from - 1) ranges[ranges.length - 1] = { from: before.from, to: range.to }
  else ranges.push(range)
}

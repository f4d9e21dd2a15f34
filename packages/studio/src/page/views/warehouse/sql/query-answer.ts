import { request } from '../../../api/request.ts'

export type Row = Readonly<Record<string, unknown>>

/** What a query answered. */
export interface QueryAnswer {
  readonly rows: readonly Row[]
  /** Whether there are more rows. */
  readonly isCut: boolean
  /** Names and types of DuckDB. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** Time of the query itself, in milliseconds. */
  readonly tookMs: number
}

/** Ends when the query before has ended: the server runs one at a time for a workspace. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * Runs SQL on a warehouse that is a DuckDB file, after the queries before it. The signal leaves one out that has not begun; the
 * server would not stop one that has.
 * @throws ApiError that says what is wrong with it.
 */
export function runQuery(base: string, sql: string, signal?: AbortSignal): Promise<QueryAnswer> {
  const answer = turn.then(() => {
    signal?.throwIfAborted()
    return request<QueryAnswer>(`${base}/query`, { method: 'POST', body: { sql } })
  })
  turn = answer.catch(() => {})
  return answer
}

/** Returns the names of the columns that have numbers only. */
export function numberColumns(rows: readonly Row[]): readonly string[] {
  return Object.keys(rows[0] ?? {}).filter((name) => {
    const values = rows.map((row) => row[name]).filter((value) => value !== null)
    return values.length > 0 && values.every((value) => toNumber(value) !== undefined)
  })
}

/** Returns a number, or the number that a text is: sums and counts come as texts where they may be large. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
}

/** Returns a value as text for a cell. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns rows as CSV (RFC 4180). A cell that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvOf(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {})
  const cell = (value: unknown): string => {
    const text = cellText(value)
    const safe = /^[=+\-@\t\r]/.test(text) && toNumber(value) === undefined ? `'${text}` : text
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((line) => line.map(cell).join(','))
    .join('\r\n')
}

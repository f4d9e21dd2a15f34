import type { ColumnValue } from '../../evolve/cast-value.ts'
import type { PreparedTable } from '../../load/warehouse.ts'
import type { TableDialect } from '../cloud/cloud-dialect.ts'
import { wellFormedJson } from '../sql/well-formed-json.ts'
import { textBytesMax, typed } from './redshift-dialect.ts'

/** Parameters of one statement: as many as the protocol can number. */
const parametersMax = 32_767
/** Bytes of the rows of one statement, which may have 16 MB. */
const bytesMax = 4 * 1024 * 1024

interface InsertedRows {
  readonly text: string
  readonly values: readonly (string | null)[]
}

/** Returns what creates the temporary table of the rows of a table: their values as texts. */
export function stageTable(stage: string, { columns }: PreparedTable): string {
  return `create temp table ${stage} (${columns.map((_, at) => `c${at} varchar(${textBytesMax})`).join(', ')})`
}

/** Yields statements that insert rows into it, as many at a time as one statement should have. */
export function* stageRows(stage: string, { columns, rows }: PreparedTable): Generator<InsertedRows> {
  const rowsMax = Math.max(1, Math.floor(parametersMax / columns.length))
  let values: (string | null)[] = []
  let bytes = 0
  const insert = (): InsertedRows => ({
    text: insertText(stage, columns.length, values.length / columns.length),
    values,
  })
  for (const row of rows()) {
    const texts = row.map((value, at) => textOf(value, columns[at]?.type === 'json'))
    const size = texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), 0)
    if (values.length > 0 && (values.length / columns.length >= rowsMax || bytes + size > bytesMax)) {
      yield insert()
      values = []
      bytes = 0
    }
    values.push(...texts)
    bytes += size
  }
  if (values.length > 0) yield insert()
}

function insertText(stage: string, columns: number, rows: number): string {
  const row = (n: number): string =>
    `(${Array.from({ length: columns }, (_, at) => `$${n * columns + at + 1}`).join(', ')})`
  return `insert into ${stage} values ${Array.from({ length: rows }, (_, n) => row(n)).join(', ')}`
}

/** Redshift stores no NUL characters. */
function textOf(value: ColumnValue, isJson: boolean): string | null {
  if (value === null) return null
  if (typeof value === 'object') return JSON.stringify(value)
  return isJson ? wellFormedJson(String(value)) : String(value).replaceAll('\0', '')
}

/** Returns the statements that move staged rows into their table: MERGE cannot do it for all modes. */
export function writeStaged(stage: string, prepared: PreparedTable, dialect: TableDialect): readonly string[] {
  const { table, columns, key, mode, since } = prepared
  const { quoted } = dialect
  const target = dialect.nameOf(table)
  const names = columns.map(({ name }) => quoted(name))
  const values = columns.map(({ type }, at) => typed(`s.c${at}`, type))
  const insert = `insert into ${target} (${names.join(', ')}) select ${values.join(', ')} from ${stage} s`
  if (mode === 'append') return [insert]
  const own = (name: string): string => `${quoted(table)}.${name}`
  const keyAt = names.indexOf(quoted(key))
  const isText = columns[keyAt]?.type === 'string' || columns[keyAt]?.type === 'text'
  // Comparisons ignore blanks at the end; lengths do not.
  const isKeyOf = (column: string): string =>
    `${column} = s.c${keyAt}${isText ? ` and length(${column}) = length(s.c${keyAt})` : ''}`
  if (mode === 'replace') {
    const window = since === undefined ? '' : ` and ${own(quoted('received_at'))} >= cast('${since}' as timestamptz)`
    return [`delete from ${target} using ${stage} s where ${isKeyOf(own(quoted(key)))}${window}`, insert]
  }
  const receivedAt = names.indexOf(quoted('received_at'))
  const late = receivedAt === -1 ? undefined : `${values[receivedAt]} < ${own(quoted('received_at'))}`
  const set = names.flatMap((name, at) => {
    if (at === keyAt) return []
    const newest = `coalesce(${values[at]}, ${own(name)})`
    return late === undefined
      ? [`${name} = ${newest}`]
      : [`${name} = case when ${late} then coalesce(${own(name)}, ${values[at]}) else ${newest} end`]
  })
  const update = `update ${target} set ${set.join(', ')} from ${stage} s where ${isKeyOf(own(quoted(key)))}`
  const missing = `${insert} where not exists (select 1 from ${target} t where ${isKeyOf(`t.${quoted(key)}`)})`
  return set.length === 0 ? [missing] : [update, missing]
}

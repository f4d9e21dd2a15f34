import type { PreparedTable } from '../../load/warehouse.ts'
import { type Statement, sql } from '../sql/statement.ts'
import type { CloudDialect } from './cloud-dialect.ts'

/** @param source rows of the table of staged rows, with their column `data`. @returns the statement that moves them into their table. */
export function writeTable(table: PreparedTable, source: string, dialect: CloudDialect): Statement {
  const { columns, mode, key, since } = table
  const { quoted } = dialect
  const target = dialect.nameOf(table.table)
  const names = columns.map(({ name }) => quoted(name))
  const values = columns.map(({ type }, place) => dialect.staged(place, type))
  const list = names.join(', ')
  if (mode === 'append') return sql`insert into ${target} (${list}) select ${values.join(', ')} from ${source}`
  const selected = values.map((value, place) => `${value} as ${names[place]}`).join(', ')
  const receivedAt = quoted(dialect.cased('received_at'))
  const window = since === undefined ? '' : ` and t.${receivedAt} >= cast('${since}' as ${dialect.own.time})`
  const others = names.filter((name) => name !== quoted(key))
  const set = others.map((name) => `${name} = ${newValue(name, mode, others.includes(receivedAt) && receivedAt)}`)
  const matched = set.length === 0 ? '' : `when matched then update set ${set.join(', ')} `
  return sql`merge into ${target} t using (select ${selected} from ${source}) s on t.${quoted(key)} = s.${quoted(key)}${window} ${matched}when not matched then insert (${list}) values (${names.map((name) => `s.${name}`).join(', ')})`
}

/** The newest value counts; a row that was received before the one that is there only fills what is empty. */
function newValue(name: string, mode: PreparedTable['mode'], receivedAt: string | false): string {
  if (mode === 'replace') return `s.${name}`
  const newest = `coalesce(s.${name}, t.${name})`
  if (receivedAt === false) return newest
  return `case when s.${receivedAt} < t.${receivedAt} then coalesce(t.${name}, s.${name}) else ${newest} end`
}

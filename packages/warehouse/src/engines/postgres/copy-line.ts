import type { ColumnValue } from '../../evolve/cast-value.ts'
import type { ColumnType } from '../../rows/columns/column-type.ts'
import { wellFormedJson } from '../sql/well-formed-json.ts'

/**
 * Returns a row as a line of COPY in text format. NUL characters are left out, which PostgreSQL cannot store.
 * Source: PostgreSQL manual, COPY, "Text Format".
 */
export function copyLine(row: readonly ColumnValue[], columns: readonly { readonly type: ColumnType }[]): string {
  let line = ''
  for (const [at, value] of row.entries()) {
    if (at > 0) line += '\t'
    line += fieldOf(value, columns[at]?.type)
  }
  return `${line}\n`
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '',
}

function fieldOf(value: ColumnValue, type: ColumnType | undefined): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') {
    const text = type === 'json' ? wellFormedJson(value) : value
    // Most texts need no escape, and the search alone is quicker.
    return /[\\\t\n\r\0]/.test(text) ? text.replaceAll(/[\\\t\n\r\0]/g, (found) => escapes[found] ?? '') : text
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

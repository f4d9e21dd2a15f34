import type { ColumnValue } from '../../evolve/cast-value.ts'
import type { PreparedTable } from '../../load/warehouse.ts'
import { wellFormedJson } from '../sql/well-formed-json.ts'

/** Bytes of the rows of one statement: far below the limits of all products, which begin at 10 MB a request. */
const bytesMax = 4 * 1024 * 1024

/** Yields rows as JSON arrays of arrays of texts, as many at a time as one statement should have. */
export function* stagedChunks({ columns, rows }: Pick<PreparedTable, 'columns' | 'rows'>): Generator<string> {
  let texts: string[] = []
  let bytes = 0
  for (const row of rows()) {
    const text = wellFormedJson(JSON.stringify(row.map((value, at) => textOf(value, columns[at]?.type === 'json'))))
    const size = Buffer.byteLength(text)
    if (texts.length > 0 && bytes + size > bytesMax) {
      yield `[${texts.join(',')}]`
      texts = []
      bytes = 0
    }
    texts.push(text)
    bytes += size
  }
  if (texts.length > 0) yield `[${texts.join(',')}]`
}

/** The statement converts texts into the types of the columns: JSON numbers lose digits on the way. */
function textOf(value: ColumnValue, isJson: boolean): string | null {
  if (value === null) return null
  return isJson ? wellFormedJson(String(value)) : String(value)
}

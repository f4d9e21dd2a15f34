import type { IdFamily } from '../ids/id-family.ts'
import { datetimeOf } from '../rows/columns/datetime.ts'
import type { ErasureSql } from './erasure-store.ts'

const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n
/** Digits of a decimal number that every product takes. */
const digitsMax = 30

/**
 * Returns an id as SQL in the type of a column, undefined when a column of that type cannot have it. A number is the id
 * that its JSON text is: `42` is one, `042` and `42.0` are others. The result contains nothing that needs quoting.
 *
 * @param id cleaned text. @param family any but `text` and `json`. @param native name of the type.
 */
export function idLiteral(id: string, family: IdFamily, native: string, sql: ErasureSql): string | undefined {
  switch (family) {
    case 'integer':
      return isInteger(id) ? id : undefined
    case 'decimal':
      return /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(id) && id.length <= digitsMax && id !== '-0' ? id : undefined
    case 'float':
      return isJsonNumber(id) ? id : undefined
    case 'boolean':
      return id === 'true' || id === 'false' ? id : undefined
    case 'bit':
      if (id === 'true') return '1'
      if (id === 'false') return '0'
      return isInteger(id) && id !== '0' && id !== '1' ? id : undefined
    case 'time': {
      const time = datetimeOf(id)
      return time === undefined ? undefined : sql.time(time, native)
    }
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(id) && datetimeOf(id)?.startsWith(id) ? sql.date(id) : undefined
    case 'uuid':
      return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(id) ? `'${id.toLowerCase()}'` : undefined
    default:
      return undefined
  }
}

function isInteger(id: string): boolean {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(id)) return false
  const value = BigInt(id)
  return value >= int64Min && value <= int64Max
}

function isJsonNumber(id: string): boolean {
  return /^-?\d/.test(id) && JSON.stringify(Number(id)) === id
}

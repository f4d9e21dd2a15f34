import type { JsonObject, JsonValue } from '@sluice/core'
import type { ColumnName, ColumnNames, PathNames } from '../../naming/column-names.ts'
import type { JsonPaths } from '../event/json-paths.ts'
import { TableRow } from '../table-row.ts'
import type { ColumnType } from './column-type.ts'
import { fixedValue, isBlank, type TypedValue, type TypeOptions, typedValue } from './typed-value.ts'

/** Levels of nesting below which an object is stored as JSON: no product has names that long. */
const depthMax = 64

interface WriterOptions extends TypeOptions {
  readonly names: ColumnNames
  /** Level from which objects are stored as JSON; undefined without one. */
  readonly stringifyFrom: number | undefined
  /** Whether keys that share a name after it was cut get different ones. Otherwise, the last one counts. */
  readonly keepsLongNames: boolean
  /** Whether keys of an object that share a name get different ones. Otherwise, the last one counts. */
  readonly keepsNames: boolean
  /** Columns of a row. With more, the row is too wide, so the rest of an object is not looked at. */
  readonly columnsMax: number
}

/** Where the members of an object are written, besides the options. */
interface FlattenPlace {
  readonly names: PathNames
  /** Key paths to be stored as JSON. */
  readonly paths?: JsonPaths | undefined
  /** A key of the first level that is stored as JSON. */
  readonly jsonKey?: string | undefined
}

/** Collects the columns of one row. A row must be complete before the next one is begun. */
export class ColumnWriter {
  readonly #options: WriterOptions
  readonly #row: number
  /** The object whose members are written. */
  #part = 0
  readonly #columns: ColumnName[] = []
  readonly #types: ColumnType[] = []
  readonly #values: (JsonValue | undefined)[] = []

  constructor(options: WriterOptions) {
    this.#options = options
    this.#row = options.names.nextRow()
  }

  get count(): number {
    return this.#columns.length
  }

  has(column: ColumnName): boolean {
    return column.row === this.#row
  }

  /** Writes a value whatever it is, in place of the one of that name. @param value undefined: filled later. */
  set(column: ColumnName, type: ColumnType, value: JsonValue | undefined): void {
    if (column.row === this.#row) {
      this.#types[column.at] = type
      this.#values[column.at] = value
      return
    }
    column.row = this.#row
    column.at = this.#columns.length
    column.path = ''
    column.from = undefined
    column.part = 0
    this.#columns.push(column)
    this.#types.push(type)
    this.#values.push(value)
  }

  /** Writes a value that is no object, if there is one: in the type of the column, or where that is not fixed, of the value. */
  setTyped(column: ColumnName, value: JsonValue | undefined): void {
    if (value === undefined || isBlank(value)) return
    const typed = this.#typed(column, value)
    this.set(column, typed.type, typed.value)
  }

  /** Writes all columns of a complete row. */
  addAll({ columns, types, values }: WrittenColumns): void {
    for (let at = 0; at < columns.length; at += 1)
      this.set(columns[at] as ColumnName, types[at] as ColumnType, values[at])
  }

  /** Writes the members of an object, nested ones with their key path as name. */
  flatten(object: JsonObject, { names, paths, jsonKey }: FlattenPlace): void {
    this.#part += 1
    this.#flatten(object, names, paths, jsonKey, 1)
  }

  /** The columns so far. */
  written(): WrittenColumns {
    return { columns: this.#columns, types: this.#types, values: this.#values }
  }

  toRow(table: string): TableRow {
    return new TableRow(
      table,
      this.#columns.map(({ name }) => name),
      this.#types,
      this.#values,
    )
  }

  #flatten(
    object: JsonObject,
    names: PathNames,
    paths: JsonPaths | undefined,
    jsonKey: string | undefined,
    level: number,
  ): void {
    const { stringifyFrom, dialect, names: known, columnsMax } = this.#options
    for (const key in object) {
      const value = object[key]
      if (value === undefined || value === null) continue
      if (this.#columns.length > columnsMax) return
      const below = known.below(names, key)
      const path = paths?.next.get(key)
      if (path?.isEnd) {
        if (!isBlank(value) || value === '') this.#write(below, dialect.jsonType, JSON.stringify(value))
      } else if (key === jsonKey) {
        if (!isBlank(value)) this.#write(below, 'json', value)
      } else if (typeof value === 'object' && !Array.isArray(value)) {
        if ((stringifyFrom !== undefined && level >= stringifyFrom) || level >= depthMax)
          this.#write(below, 'string', JSON.stringify(value))
        else this.#flatten(value as JsonObject, below, path, undefined, level + 1)
      } else if (!isBlank(value)) {
        const typed = this.#typed(known.of(below), value)
        this.#write(below, typed.type, typed.value)
      }
    }
  }

  /** Returns a value with its type. One that does not fit a fixed type has it nevertheless: the load discards it. */
  #typed(column: ColumnName | null, value: JsonValue): TypedValue {
    const fixed = column?.fixed
    if (fixed === undefined) return typedValue(value, this.#options)
    return fixedValue(value, fixed, this.#options.dialect)
  }

  #write(names: PathNames, type: ColumnType, value: JsonValue): void {
    const usual = this.#options.names.of(names)
    if (usual === null || usual.isBlocked) return
    const column = this.#placeOf(names, usual)
    this.set(column, type, value)
    column.path = names.path
    column.from = names
    column.part = this.#part
  }

  /** @param usual the column that a key path has, unless another one has it in this row. */
  #placeOf(names: PathNames, usual: ColumnName): ColumnName {
    const { keepsLongNames, keepsNames, names: known } = this.#options
    const isOther = keepsLongNames && usual.row === this.#row && usual.path !== names.path
    const column = isOther ? known.distinct(names, usual) : usual
    const isTaken = column.row === this.#row && column.part === this.#part && column.from !== names
    return keepsNames && isTaken ? known.besides(names, usual) : column
  }
}

/** The columns of a row, their types and values. */
export interface WrittenColumns {
  readonly columns: readonly ColumnName[]
  readonly types: readonly ColumnType[]
  readonly values: readonly (JsonValue | undefined)[]
}

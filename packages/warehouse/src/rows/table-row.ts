import type { JsonObject, JsonValue } from '@sluice/core'
import type { ColumnType } from './columns/column-type.ts'

/**
 * A row of a table: names, types and values of its columns, in three lists of the same length. Objects would take several
 * times as long, because each event needs four. As JSON, a row is an object with `columns` and `data`.
 */
export class TableRow {
  readonly table: string
  readonly names: readonly string[]
  readonly types: readonly ColumnType[]
  /** Undefined for a column that is filled when the row is loaded. Arrays are still arrays. */
  readonly values: readonly (JsonValue | undefined)[]
  /** The identities that the row joins, in the table of merge rules. */
  readonly mergeRule?: { readonly one: string; readonly two?: string }

  constructor(
    table: string,
    names: readonly string[],
    types: readonly ColumnType[],
    values: readonly (JsonValue | undefined)[],
    mergeRule?: { readonly one: string; readonly two?: string },
  ) {
    this.table = table
    this.names = names
    this.types = types
    this.values = values
    if (mergeRule) this.mergeRule = mergeRule
  }

  /** Types by column. */
  get columns(): Readonly<Record<string, ColumnType>> {
    return Object.fromEntries(this.names.map((name, at) => [name, this.types[at] ?? 'string']))
  }

  /** Values by column, without columns that are filled later. */
  get data(): JsonObject {
    const entries = this.names.map((name, at): [string, JsonValue | undefined] => [name, this.values[at]])
    return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined))
  }

  toJSON(): object {
    const { table, columns, data, mergeRule } = this
    return { table, columns, data, mergeRule }
  }
}

import type { JsonValue } from '@sluice/core'
import type { CollectedRows } from '../load/create-loader.ts'
import { isFullWith } from '../load/staged-rows.ts'
import type { ColumnType } from '../rows/columns/column-type.ts'
import { TableRow } from '../rows/table-row.ts'

/** Table, names and types that rows share. */
type Shape = readonly [string, readonly string[], readonly ColumnType[]]
/** A row: the number of its shape, its values, and the identities that it joins. */
type PackedRow = readonly [number, readonly JsonValue[], TableRow['mergeRule']?]

/** Characters of a slice, so that none takes long to send or to read. */
const sliceChars = 128 * 1_024
/** How many of the last shapes of a table a row is compared with. */
const comparedShapes = 4

/**
 * Rows as text, to be sent to another process: a tenth of the memory that they take as values. Names and types of columns
 * are written once for rows that share them.
 */
export class PackedRows implements CollectedRows {
  readonly #slices: string[] = []
  readonly #shapesOf = new Map<string, { readonly shape: Shape; readonly index: number }[]>()
  #newShapes: string[] = []
  #rows: string[] = []
  #rowChars = 0
  #shapeCount = 0
  #count = 0
  #chars = 0

  get isFull(): boolean {
    return isFullWith(this.#count, this.#chars)
  }

  add(row: TableRow): void {
    const { values, mergeRule } = row
    const shape = this.#shapeOf(row)
    const packed = `[${shape},${JSON.stringify(values)}${mergeRule ? `,${JSON.stringify(mergeRule)}` : ''}]`
    this.#rows.push(packed)
    this.#rowChars += packed.length
    this.#chars += packed.length
    this.#count += 1
    if (this.#rowChars > sliceChars) this.#cut()
  }

  /** Returns all rows, in their order: for `unpackRows`, which must get each slice, in this order. */
  slices(): readonly string[] {
    if (this.#rows.length > 0) this.#cut()
    return this.#slices
  }

  clear(): void {
    this.#slices.length = 0
    this.#shapesOf.clear()
    this.#newShapes = []
    this.#rows = []
    this.#rowChars = 0
    this.#shapeCount = 0
    this.#count = 0
    this.#chars = 0
  }

  #cut(): void {
    this.#slices.push(`[[${this.#newShapes.join()}],[${this.#rows.join()}]]`)
    this.#newShapes = []
    this.#rows = []
    this.#rowChars = 0
  }

  #shapeOf({ table, names, types }: TableRow): number {
    const known = this.#shapesOf.get(table)
    for (const { shape, index } of known ?? []) if (isSame(shape[1], names) && isSame(shape[2], types)) return index
    const shape: Shape = [table, names, types]
    const index = this.#shapeCount
    this.#shapeCount += 1
    const text = JSON.stringify(shape)
    this.#newShapes.push(text)
    this.#chars += text.length
    if (known === undefined) this.#shapesOf.set(table, [{ shape, index }])
    else if (known.unshift({ shape, index }) > comparedShapes) known.pop()
    return index
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false
  return true
}

/** Returns a function that reads the slices of `PackedRows`, one after the other. */
export function createUnpacker(): (slice: string) => readonly TableRow[] {
  const shapes: Shape[] = []
  return (slice) => {
    const [added, rows] = JSON.parse(slice) as readonly [readonly Shape[], readonly PackedRow[]]
    shapes.push(...added)
    return rows.map(([index, values, mergeRule]) => {
      const [table, names, types] = shapes[index] as Shape
      return new TableRow(table, names, types, values, mergeRule)
    })
  }
}

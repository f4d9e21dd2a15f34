import type { ComponentChildren } from 'preact'
import { Scroll } from './scroll.tsx'

export interface Column<Row> {
  readonly title: string
  /** Beside the title, such as a type or a unit. */
  readonly note?: string
  readonly cell: (row: Row) => ComponentChildren
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean
  /** `graph` for a spark, `fit` for what is as narrow as its content. */
  readonly kind?: 'graph' | 'fit'
}

interface DataTableProps<Row> {
  readonly caption: string
  /** Only for screen readers: for a table in a panel whose title says it. */
  readonly isCaptionUnseen?: boolean
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  /** Shown in place of an empty table. */
  readonly empty: string
}

/** A table whose first column names the row. */
export function DataTable<Row>({ caption, isCaptionUnseen, rows, columns, keyOf, empty }: DataTableProps<Row>) {
  if (rows.length === 0) return <p class="hint">{empty}</p>
  return (
    <Scroll label={caption}>
      <table>
        <caption class={isCaptionUnseen ? 'unseen' : ''}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, note, isNumber, kind }) => (
              <th key={title} scope="col" class={isNumber ? 'number' : kind}>
                {title}
                {note === undefined ? null : <small> {note}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber, kind }, n) =>
                n === 0 ? (
                  <th key={title} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} class={isNumber ? 'number' : kind}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

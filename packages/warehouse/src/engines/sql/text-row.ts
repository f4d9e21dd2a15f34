/** A row by names of columns. All values are texts. */
export type TextRow = Readonly<Record<string, string | null>>

/** Returns a row of a driver with all values as text. */
export function rowOfTexts(row: Readonly<Record<string, unknown>>): TextRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value == null ? null : Buffer.isBuffer(value) ? value.toString() : String(value),
    ]),
  )
}

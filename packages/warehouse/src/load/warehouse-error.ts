/** A warehouse did not do what it should. The message is for the operator, and contains no credentials. */
export class WarehouseError extends Error {
  override readonly name: string = 'WarehouseError'
  /** A name for the kind of failure, such as the SQLSTATE or the code of the operating system. */
  readonly code: string
  /** Whether the product refuses a value or a row, so that other rows may be fine. */
  readonly isOfRows: boolean

  constructor(message: string, code: string, isOfRows = false) {
    super(message)
    this.code = code
    this.isOfRows = isOfRows
  }
}

/** A row that a product refuses. */
export interface RefusedRow {
  /** See `digestOf`. */
  readonly digest: string
  readonly reason: string
}

/** A product refuses rows of a load, and has kept none. */
export class RefusedRowsError extends WarehouseError {
  readonly rows: readonly RefusedRow[]

  constructor(rows: readonly RefusedRow[]) {
    super(
      `The warehouse refuses ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}: ${rows[0]?.reason ?? ''}`,
      'ROWS_REFUSED',
    )
    this.rows = rows
  }
}

/** A load with this id has happened, or was settled as one that never will. */
export class AlreadySettledError extends WarehouseError {
  constructor(loadId: string) {
    super(`The load ${loadId} was settled before.`, 'SETTLED')
  }
}

import type { Statement } from '../sql/statement.ts'
import type { TextRow } from '../sql/text-row.ts'

/** A row by lower-case column names. */
export type CloudRow = TextRow

/** Runs statements of a cloud product over HTTP. Its methods throw WarehouseError. */
export interface CloudClient {
  /** Runs one statement. @returns its rows. */
  rows(statement: Statement): Promise<readonly CloudRow[]>
  /** Absent where a transaction is one statement. */
  readonly transaction?: {
    /** Most tables that it changes. */
    readonly tablesMax: number
    /** Runs statements one after the other, all or none. They have no parameters, because not every product takes any there. */
    run(statements: readonly Statement[]): Promise<void>
    /** The same, but keeps nothing of them. */
    tryOut(statements: readonly Statement[]): Promise<void>
  }
}

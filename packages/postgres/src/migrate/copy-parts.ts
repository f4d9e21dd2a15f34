import type { Tables } from '@sluice/storage/sql'
import type { Kysely } from 'kysely'
import type { Connection } from '../connect/connect.ts'

/** The two stores of a migration. */
export interface CopyParts {
  readonly source: Kysely<Tables>
  readonly target: Connection
  /** Called after rows were copied. */
  readonly onProgress?: (progress: MigrationProgress) => void
  /** Ends the migration between two steps; the next one continues from there. */
  readonly signal?: AbortSignal
}

export interface MigrationProgress {
  readonly table: string
  /** Rows that were copied in the last step. */
  readonly rows: number
}

import { existsSync, renameSync } from 'node:fs'
import { resolve } from 'node:path'
import { openSqliteTables } from '@sluice/storage'
import { connect } from '../connect/connect.ts'
import { aloneIn, prepareTables } from '../prepare-tables.ts'
import { defaultSchema, requireSchemaName, type StoreAddress } from '../store-address.ts'
import { type ComparedSum, compareStores } from './compare-stores.ts'
import { copiedTables } from './copied-tables.ts'
import { copyLog } from './copy-log.ts'
import type { CopyParts } from './copy-parts.ts'
import { copyTable } from './copy-table.ts'
import { beginMarks, endMarks, isCopied } from './migration-mark.ts'

export interface MigrateOptions extends Pick<CopyParts, 'onProgress' | 'signal'> {
  /** File of the SQLite store, which no process may have open. */
  readonly from: string
  readonly to: StoreAddress
}

export interface MigrationReport {
  /** Figures of both stores; empty when an earlier call had compared them. */
  readonly sums: readonly ComparedSum[]
  /** Whether they are the same, so that the new store can be used, and the old one has another name. */
  readonly isComplete: boolean
  /** Acknowledged batches that the old store had lost before. */
  readonly lostBatches: number
  /** Where the old store is now. */
  readonly oldStore: string
}

/**
 * Copies a SQLite store into an empty one in PostgreSQL, compares both, then renames the old one, so that nothing delivers its
 * events again. A call that fails or is aborted can be repeated, and continues. No process can use either store meanwhile.
 *
 * @throws StoreUnusableError, StoreInUseError, StoreVersionError, StoreDamagedError; the abort reason of `signal`.
 */
export async function migrateSqliteStore({ from, to, ...options }: MigrateOptions): Promise<MigrationReport> {
  const { url, schema = defaultSchema } = to
  requireSchemaName(schema)
  const source = resolve(from)
  const oldStore = `${source}.migrated`
  const target = await connect(url, schema, () => {})
  try {
    await prepareTables(target, schema)
    if (!existsSync(source) && existsSync(oldStore) && (await isCopied(target.query, source))) {
      // An earlier call ended after the last step but one.
      await endMarks(target.query)
      return { sums: [], isComplete: true, lostBatches: 0, oldStore }
    }
    const tables = await openSqliteTables(source)
    let sums: readonly ComparedSum[]
    try {
      const parts = { source: tables.db, target, ...options }
      await aloneIn(target, schema, () => beginMarks(target, source))
      for (const table of copiedTables) await copyTable(parts, table)
      await copyLog(parts)
      sums = await compareStores(parts)
    } finally {
      await tables.close()
    }
    const isComplete = sums.every((sum) => sum.source === sum.target)
    if (isComplete) {
      for (const { name } of copiedTables) await target.query(`analyze ${name}`)
      // First, so that a kill leaves no two stores that can be used.
      for (const suffix of ['', '.mark'])
        if (existsSync(`${source}${suffix}`)) renameSync(`${source}${suffix}`, `${oldStore}${suffix}`)
      await endMarks(target.query)
    }
    return { sums, isComplete, lostBatches: tables.lostBatches, oldStore: isComplete ? oldStore : source }
  } finally {
    await target.close()
  }
}

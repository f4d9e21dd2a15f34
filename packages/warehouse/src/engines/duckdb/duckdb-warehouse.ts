import { existsSync } from 'node:fs'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { onAbort } from '@sluice/core'
import type { Warehouse } from '../../load/warehouse.ts'
import { blockBytesMax, columnsMaxOf, memoryMiB, tableColumnsMax } from './duckdb-memory.ts'
import { duckdbProblem } from './duckdb-problem.ts'
import { DuckDBSession } from './duckdb-session.ts'
import { type DuckDBConnection, loadDuckDB } from './load-duckdb.ts'
import { createRewriting } from './rewriting.ts'
import { takeTurn } from './take-turn.ts'

export interface DuckDBSettings {
  /** The file, which is created with its folder when it does not exist. */
  readonly path: string
  /** The schema for the tables. */
  readonly namespace: string
}

/** Size of the blocks of a new file: the smallest, because each column of a table that is written takes some of them in memory. */
const blockBytes = '16384'

/**
 * A DuckDB file as a warehouse. It is open only during a load, so that other programs can query it in between: DuckDB
 * lets only one process open a file.
 */
export function createDuckDBWarehouse({ path: given, namespace }: DuckDBSettings): Warehouse {
  const path = resolve(given)
  return {
    limits: {
      columnsMax: tableColumnsMax,
      ignoresCase: true,
      ignoresTableCase: true,
      retypesTo: ['string', 'float', 'datetime'],
    },
    async connect(signal) {
      const endTurn = await takeTurn(path)
      try {
        signal.throwIfAborted()
        const { DuckDBInstance } = await loadDuckDB()
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        const isNew = !existsSync(path)
        const open = async () => {
          const instance = await DuckDBInstance.create(path, {
            memory_limit: `${memoryMiB}MiB`,
            default_block_size: blockBytes,
          })
          const connection = await instance.connect().catch((error) => {
            instance.closeSync()
            throw error
          })
          const unwatch = onAbort(signal, () => connection.interrupt())
          let isOpen = true
          const close = (): void => {
            if (!isOpen) return
            isOpen = false
            unwatch()
            connection.disconnectSync()
            instance.closeSync()
          }
          return { connection, close }
        }
        let opened = await open()
        if (isNew) await chmod(path, 0o600)
        const columnsMax = columnsMaxOf(await blockBytesOf(opened.connection))
        const rewriting = createRewriting({
          path,
          connection: () => opened.connection,
          async reopen(work) {
            opened.close()
            try {
              await work()
            } finally {
              opened = await open()
            }
          },
        })
        const close = async (): Promise<void> => {
          try {
            opened.close()
            // A plan changes nothing, not even that there is a file.
            if (isNew && !session.hasWritten) await rm(path, { force: true })
          } finally {
            endTurn()
          }
        }
        const connection = (): DuckDBConnection => opened.connection
        const session = new DuckDBSession({ connection, columnsMax, rewriting, namespace, path, close })
        return session
      } catch (error) {
        endTurn()
        signal.throwIfAborted()
        throw duckdbProblem(error, path)
      }
    },
  }
}

/** Returns the size of the blocks of the file that is open. */
async function blockBytesOf(connection: DuckDBConnection): Promise<number> {
  const query = 'select block_size as bytes from pragma_database_size() where database_name = current_database()'
  const [found] = (await connection.runAndReadAll(query)).getRowObjectsJson() as readonly { readonly bytes: string }[]
  return Number(found?.bytes ?? blockBytesMax)
}

import { existsSync } from 'node:fs'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { onAbort } from '@sluice/core'
import type { Warehouse } from '../../load/warehouse.ts'
import { duckdbProblem } from './duckdb-problem.ts'
import { DuckDBSession } from './duckdb-session.ts'
import { loadDuckDB } from './load-duckdb.ts'
import { createRewriting } from './rewriting.ts'
import { takeTurn } from './take-turn.ts'

export interface DuckDBSettings {
  /** The file, which is created with its folder when it does not exist. */
  readonly path: string
  /** The schema for the tables. */
  readonly namespace: string
}

/** Memory that DuckDB may use during a load. */
const memoryLimit = '384MB'
/**
 * Size of the blocks of a new file. A load writes a few rows into each of many tables, and each column of each takes a
 * block in memory: with those of 256 KB, which are DuckDB's default, that takes five times as long.
 */
const blockBytes = '65536'

/**
 * A DuckDB file as a warehouse. It is open only during a load, so that other programs can query it in between: DuckDB
 * lets only one process open a file.
 */
export function createDuckDBWarehouse({ path: given, namespace }: DuckDBSettings): Warehouse {
  const path = resolve(given)
  return {
    limits: {
      columnsMax: 2_000,
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
            memory_limit: memoryLimit,
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
        const session = new DuckDBSession({ connection: () => opened.connection, rewriting, namespace, path, close })
        return session
      } catch (error) {
        endTurn()
        signal.throwIfAborted()
        throw duckdbProblem(error, path)
      }
    },
  }
}

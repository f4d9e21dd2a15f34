import type { Socket } from 'node:net'
import { onAbort } from '@sluice/core'
import type { Connection } from 'mysql2/promise'
import type { Warehouse } from '../../load/warehouse.ts'
import { loadMysql } from './load-mysql.ts'
import { mysqlProblem } from './mysql-problem.ts'
import { MysqlSession } from './mysql-session.ts'

export interface MysqlSettings {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  /** The database for the tables, which is created when it does not exist. */
  readonly namespace: string
  readonly ssl: boolean | { readonly ca?: string; readonly rejectUnauthorized: boolean }
}

export interface MysqlOptions {
  /** Opens the socket of a connection; it is connected here. Default: one to any address. */
  socket?(): Socket
  /** Default 10 seconds. */
  readonly connectMs?: number
  /** Longest wait for the lock of a table, in seconds; default 30. */
  readonly lockSeconds?: number
}

/** A MySQL or MariaDB server as a warehouse. InnoDB holds some 300 columns per table, because rows must fit a page. */
export function createMysqlWarehouse(settings: MysqlSettings, options: MysqlOptions = {}): Warehouse {
  const { host, port, user, password, namespace, ssl } = settings
  const { connectMs = 10_000, lockSeconds = 30, socket } = options
  const place = `MySQL ${host}:${port}`
  return {
    limits: { columnsMax: 300, ignoresCase: true },
    async connect(signal) {
      signal.throwIfAborted()
      const { createConnection } = await loadMysql()
      let connection: Connection | undefined
      try {
        connection = await createConnection({
          host,
          port,
          user,
          password,
          charset: 'utf8mb4_bin',
          timezone: 'Z',
          supportBigNumbers: true,
          connectTimeout: connectMs,
          // A server must not make the driver read local files.
          flags: ['-LOCAL_FILES'],
          ...(ssl === false ? {} : { ssl: ssl === true ? {} : { ...ssl } }),
          ...(socket ? { stream: () => socket().connect(port, host) } : {}),
        })
        connection.on('error', () => {})
        await connection.query(
          `set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', time_zone = '+00:00',
             lock_wait_timeout = ?, innodb_lock_wait_timeout = ?`,
          [lockSeconds, lockSeconds],
        )
      } catch (error) {
        connection?.destroy()
        throw mysqlProblem(error, place)
      }
      const open = connection
      const unwatch = onAbort(signal, () => open.destroy())
      const close = async (): Promise<void> => {
        unwatch()
        await open.end().catch(() => open.destroy())
      }
      return new MysqlSession({ connection: open, namespace, place, close })
    },
  }
}

import type { Socket } from 'node:net'
import { onAbort } from '@sluice/core'
import type { GuardedSockets } from '@sluice/delivery'
import type { Connection as CallbackConnection, ConnectionOptions } from 'mysql2'
import type { Connection } from 'mysql2/promise'
import type { Warehouse } from '../../load/warehouse.ts'
import { anyAddress } from '../sql/any-address.ts'
import { withinConnect } from '../sql/within-connect.ts'
import { loadMysql } from './load-mysql.ts'
import { mysqlProblem } from './mysql-problem.ts'
import { MysqlSession } from './mysql-session.ts'
import { keyLengthMax } from './mysql-types.ts'

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
  readonly socket?: GuardedSockets
  /** Default 10 seconds. */
  readonly connectMs?: number
  /** Longest wait for the lock of a table, in seconds; default 30. */
  readonly lockSeconds?: number
}

/** A MySQL or MariaDB server as a warehouse. InnoDB holds some 300 columns per table, because rows must fit a page. */
export function createMysqlWarehouse(settings: MysqlSettings, options: MysqlOptions = {}): Warehouse {
  const { host, port, user, password, namespace, ssl } = settings
  const { connectMs = 10_000, lockSeconds = 30, socket = anyAddress } = options
  const place = `MySQL ${host}:${port}`
  const given: ConnectionOptions = {
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
    ssl: ssl === false ? undefined : ssl === true ? {} : { ...ssl },
  }
  return {
    limits: { columnsMax: 300, keyLengthMax, nameLengthMax: 64, ignoresCase: true, retypesTo: ['string', 'float'] },
    async connect(signal) {
      signal.throwIfAborted()
      const { createConnection } = await loadMysql()
      signal.throwIfAborted()
      const stream = socket()
      // Before it connects, so that an abort never comes too early.
      const unwatch = onAbort(signal, () => stream.destroy())
      const connection = createConnection({ ...given, stream: () => stream.connect(port, host) })
      // Without a listener, the second error would end the process.
      connection.on('error', () => {})
      guardTls(connection, socket)
      try {
        const opening = opened(connection, lockSeconds)
        const open = await withinConnect(opening, { connectMs, cut: () => stream.destroy() })
        const close = async (): Promise<void> => {
          unwatch()
          await withinConnect(open.end(), { connectMs, cut: () => stream.destroy() }).catch(() => open.destroy())
        }
        return new MysqlSession({ connection: open, namespace, place, close })
      } catch (error) {
        unwatch()
        stream.destroy()
        signal.throwIfAborted()
        throw mysqlProblem(error, place)
      }
    },
  }
}

/** Resolves when the server has accepted the user, and the session its settings. */
async function opened(connection: CallbackConnection, lockSeconds: number): Promise<Connection> {
  await new Promise<void>((resolve, reject) => {
    connection.once('connect', () => resolve())
    connection.once('error', reject)
    // Not every failure of the driver is an error of the connection.
    connection.once('end', () => reject(new Error('the server closed the connection')))
    socketOf(connection).once('close', () => reject(new Error('the connection was closed')))
  })
  const open = connection.promise()
  await open.query(
    `set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', time_zone = '+00:00',
       lock_wait_timeout = ?, innodb_lock_wait_timeout = ?`,
    [lockSeconds, lockSeconds],
  )
  return open
}

/** Puts the socket with TLS that the driver puts over its first one under the same rules, before it reads from it. */
function guardTls(connection: CallbackConnection, socket: GuardedSockets): void {
  const driver = connection as unknown as { startTLS(onSecure: (error?: Error) => void): void }
  const start = driver.startTLS.bind(connection)
  driver.startTLS = (onSecure) => {
    start(onSecure)
    socket(socketOf(connection))
  }
}

/** The present socket of a connection, which its types hide. */
function socketOf(connection: CallbackConnection): Socket {
  return (connection as unknown as { readonly stream: Socket }).stream
}

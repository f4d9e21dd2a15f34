import type { Socket } from 'node:net'
import { onAbort } from '@sluice/core'
import type { GuardedSockets } from '@sluice/delivery'
import type { Client, ClientConfig } from 'pg'
import { anyAddress } from '../sql/any-address.ts'
import { withinConnect } from '../sql/within-connect.ts'
import { loadPg } from './load-pg.ts'

/** A server that speaks the protocol of PostgreSQL. */
export interface PostgresServer {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  readonly ssl: boolean | { readonly ca?: string; readonly rejectUnauthorized: boolean }
}

export interface OpenOptions {
  /** Opens the socket of a connection; the driver connects it. Default: one to any address. */
  readonly socket?: GuardedSockets
  /** Default 10 seconds. */
  readonly connectMs?: number
}

/**
 * Opens a connection, which an abort cuts.
 * @param options with settings that are sent when the session begins. @throws WarehouseError when the driver is not installed, and the driver's own errors.
 */
export async function openClient(
  { host, port, database, user, password, ssl }: PostgresServer,
  {
    socket = anyAddress,
    connectMs = 10_000,
    ...options
  }: OpenOptions & Pick<ClientConfig, 'statement_timeout' | 'lock_timeout'>,
  signal: AbortSignal,
): Promise<{ readonly client: Client; close(): Promise<void> }> {
  signal.throwIfAborted()
  const driver = await loadPg()
  signal.throwIfAborted()
  const client = new driver.Client({
    host,
    port,
    database,
    user,
    // As a function, because the driver looks for another one when a password is empty.
    password: () => password,
    ssl,
    application_name: 'sluice warehouse',
    client_encoding: 'UTF8',
    keepAlive: true,
    ...options,
    stream: () => socket(),
  })
  takeNothingElse(client, { host, port, database, user })
  guardTls(client, socket)
  // A lost connection is noticed by the next statement as well.
  client.on('error', () => {})
  const cut = (): void => void client.connection.stream.destroy()
  const unwatch = onAbort(signal, cut)
  try {
    await withinConnect(client.connect(), { connectMs, cut })
  } catch (error) {
    unwatch()
    throw error
  }
  return {
    client,
    async close() {
      unwatch()
      await withinConnect(client.end(), { connectMs, cut }).catch(() => {})
    },
  }
}

/** The driver completes settings that are empty from the environment of the process, such as PGHOST and PGOPTIONS. */
function takeNothingElse(client: Client, own: Pick<PostgresServer, 'host' | 'port' | 'database' | 'user'>): void {
  const { connectionParameters } = client as unknown as { readonly connectionParameters: object }
  Object.assign(client, own, { replication: undefined })
  Object.assign(connectionParameters, own, { replication: undefined, options: undefined })
}

/** Puts the socket with TLS that the driver puts over its first one under the same rules, before it reads from it. */
function guardTls(client: Client, socket: GuardedSockets): void {
  const connection = client.connection as unknown as { attachListeners(stream: Socket): void }
  const attach = connection.attachListeners.bind(connection)
  const first = client.connection.stream
  connection.attachListeners = (stream) => attach(stream === first ? stream : socket(stream))
}

import type { Socket } from 'node:net'
import { onAbort } from '@sluice/core'
import type { Client, ClientConfig } from 'pg'
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
  socket?(): Socket
  /** Default 10 seconds. */
  readonly connectMs?: number
}

/**
 * Opens a connection, which an abort cuts.
 * @param options with settings that are sent when the session begins. @throws WarehouseError when the driver is not installed, and the driver's own errors.
 */
export async function openClient(
  { host, port, database, user, password, ssl }: PostgresServer,
  { socket, connectMs = 10_000, ...options }: OpenOptions & Pick<ClientConfig, 'statement_timeout' | 'lock_timeout'>,
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
    password,
    ssl,
    application_name: 'sluice warehouse',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    ...options,
    ...(socket ? { stream: () => socket() } : {}),
  })
  // A lost connection is noticed by the next statement as well.
  client.on('error', () => {})
  const unwatch = onAbort(signal, () => client.connection.stream.destroy())
  try {
    await client.connect()
  } catch (error) {
    unwatch()
    throw error
  }
  return {
    client,
    async close() {
      unwatch()
      await client.end().catch(() => {})
    },
  }
}

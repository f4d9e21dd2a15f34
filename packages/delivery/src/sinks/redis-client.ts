import { isIP } from 'node:net'
import type { DeliveryRequest } from '@sluice/destinations'
import type { AddressGuard } from '../transport/address-guard.ts'
import { basicCredentials } from './basic-credentials.ts'

/** Connection to a Redis server or cluster. */
export interface RedisClient {
  readonly isOpen: boolean
  connect(): Promise<unknown>
  /** Sends a command. Commands sent in the same tick share a round trip. */
  send(command: RedisCommand): Promise<unknown>
  /** Disconnects immediately; pending commands fail. Can be called twice. */
  destroy(): void
}

/** Name of a command, its key and its other arguments. */
export type RedisCommand = readonly [name: string, key: string, ...args: string[]]

export interface RedisClientOptions {
  readonly connectTimeMs: number
  readonly guard: AddressGuard
}

/**
 * Creates the client for a request of the Redis destination, not connected yet. The client of a single server does not
 * reconnect: create a new one when it is closed.
 *
 * @param redis the library, loaded by the caller.
 * @throws an error with the code `addressRefused` when the address is not allowed; for a host name, `connect` throws
 * it.
 */
export function createRedisClient(
  redis: typeof import('@redis/client'),
  { endpoint, headers, params }: DeliveryRequest,
  { connectTimeMs, guard }: RedisClientOptions,
): RedisClient {
  guard.check(new URL(endpoint))
  const { protocol, host, hostname, port, pathname } = new URL(endpoint)
  const [username, password] = basicCredentials(headers['authorization']) ?? []
  const credentials = username === undefined || password === undefined ? {} : { username, password }
  const tls =
    protocol === 'rediss:'
      ? {
          tls: true as const,
          rejectUnauthorized: params['skipVerify'] !== true,
          ...(typeof params['caCertificate'] === 'string' ? { ca: params['caCertificate'] } : {}),
        }
      : {}

  const connecting = { connectTimeout: connectTimeMs, lookup: guard.lookup }

  if (params['clusterMode'] === true) {
    const others = Array.isArray(params['moreNodes']) ? params['moreNodes'].map(String) : []
    const cluster = redis.createCluster({
      rootNodes: [host, ...others].map((node) => ({ url: `${protocol}//${node}` })),
      defaults: { ...credentials, socket: { ...connecting, ...tls } },
      // Called for each node that the cluster announces: its address must be allowed too. Names are checked when they
      // are looked up to connect.
      nodeAddressMap: (address) => {
        const node = address.slice(0, address.lastIndexOf(':'))
        if (isIP(node) !== 0) guard.check(new URL(`redis://${isIP(node) === 6 ? `[${node}]` : node}`))
        return undefined
      },
      RESP: 2,
    })
    return listenedTo(cluster, (command) => cluster.sendCommand(command[1], false, [...command]))
  }
  const client = redis.createClient({
    ...credentials,
    socket: {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || 6379),
      ...connecting,
      reconnectStrategy: false,
      ...tls,
    },
    database: Number(pathname.slice(1)),
    disableOfflineQueue: true,
    RESP: 2,
  })
  return listenedTo(client, (command) => client.sendCommand(command))
}

interface LibraryClient {
  readonly isOpen: boolean
  connect(): Promise<unknown>
  destroy(): void
  on(event: 'error', listener: () => void): unknown
}

function listenedTo(client: LibraryClient, send: RedisClient['send']): RedisClient {
  // Errors also fail the pending commands, which handle them. Without a listener they would end the process.
  client.on('error', () => {})
  return {
    get isOpen() {
      return client.isOpen
    },
    connect: () => client.connect(),
    send,
    destroy: () => {
      if (client.isOpen) client.destroy()
    },
  }
}

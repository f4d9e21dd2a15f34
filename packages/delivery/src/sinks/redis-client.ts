import { isIP } from 'node:net'
import type { DeliveryRequest } from '@sluice/destinations'
import type { AddressGuard } from '../transport/address-guard.ts'
import { basicCredentials } from './basic-credentials.ts'

/** What a sink needs of a server, or of a cluster. */
export interface RedisClient {
  readonly isOpen: boolean
  connect(): Promise<unknown>
  /** Commands that are sent in one go share a round trip. */
  send(command: RedisCommand): Promise<unknown>
  /** Lets go at once; what is under way fails. Calling it twice is fine. */
  destroy(): void
}

/** The name of a command, the key it is about and the rest of what it takes. */
export type RedisCommand = readonly [name: string, key: string, ...args: string[]]

export interface RedisClientOptions {
  readonly connectTimeMs: number
  readonly guard: AddressGuard
}

/**
 * The client that a request of the Redis destination speaks of, not connected yet. One of a single server does not
 * reconnect: whoever finds it closed makes another.
 *
 * @param redis the library, which is loaded by those who use it.
 * @throws an error with the code `addressRefused` where the address may not be connected to; `connect` does so for a host.
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
      // Asked about each node that the cluster tells of, which must not lead where settings may not either. Names are
      // looked up when they are connected to.
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
  // What fails also fails the commands under way, which is where it is dealt with; unheard it would end the process.
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

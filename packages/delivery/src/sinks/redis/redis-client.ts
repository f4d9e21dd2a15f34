import { isIP } from 'node:net'
import type { DeliveryRequest } from '@sluice/destinations'
import type { AddressGuard } from '../../transport/sockets/address-guard.ts'
import type { PeerSockets } from '../../transport/sockets/peer-sockets.ts'
import { basicCredentials } from '../basic-credentials.ts'

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
  /** Under whose rules the client opens its sockets. */
  readonly sockets: PeerSockets
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
  { connectTimeMs, sockets }: RedisClientOptions,
): RedisClient {
  const { guard } = sockets
  guard.check(new URL(endpoint))
  const { protocol, host, hostname, port, pathname } = new URL(endpoint)
  const [username, password] = basicCredentials(headers['authorization']) ?? []
  const credentials = username === undefined || password === undefined ? {} : { username, password }
  const tls =
    protocol === 'rediss:'
      ? {
          tls: true as const,
          rejectUnauthorized: params['skipVerify'] !== true,
          ca: typeof params['caCertificate'] === 'string' ? params['caCertificate'] : undefined,
        }
      : {}

  const connecting = { connectTimeout: connectTimeMs, lookup: guard.lookup, signal: sockets.signal }

  if (params['clusterMode'] === true) {
    const others = Array.isArray(params['moreNodes']) ? params['moreNodes'].map(String) : []
    for (const node of others) guard.check(new URL(`${protocol}//${node}`))
    const cluster = redis.createCluster({
      rootNodes: [host, ...others].map((node) => ({ url: `${protocol}//${node}` })),
      defaults: { ...credentials, socket: { ...connecting, ...tls } },
      // Called for each node that the cluster announces, also when it says that a key has moved.
      nodeAddressMap: (address) => {
        checkNode(address, guard)
        return undefined
      },
      RESP: 2,
    })
    return listenedTo(cluster, sockets, (command) => cluster.sendCommand(command[1], false, [...command]))
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
  return listenedTo(client, sockets, (command) => client.sendCommand(command))
}

/**
 * Checks the address of a node of a cluster. Names are checked when they are looked up to connect.
 * @throws an error with the code `addressRefused`.
 */
function checkNode(address: string, guard: AddressGuard): void {
  // The library splits addresses in its own way; what it connects to is checked again by the socket.
  const node = address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '')
  if (isIP(node) !== 0) guard.check(new URL(`redis://${isIP(node) === 6 ? `[${node}]` : node}`))
}

interface LibraryClient {
  readonly isOpen: boolean
  connect(): Promise<unknown>
  destroy(): void
  on(event: 'error', listener: () => void): unknown
}

function listenedTo(client: LibraryClient, sockets: PeerSockets, send: RedisClient['send']): RedisClient {
  // Errors also fail the pending commands, which handle them. Without a listener they would end the process.
  client.on('error', () => {})
  return {
    get isOpen() {
      return client.isOpen && !sockets.isBroken
    },
    connect: () => sockets.orBroken(sockets.run(() => client.connect())),
    send: (command) => sockets.orBroken(sockets.run(() => send(command))),
    destroy: () => {
      try {
        if (client.isOpen) client.destroy()
      } finally {
        sockets.end()
      }
    },
  }
}

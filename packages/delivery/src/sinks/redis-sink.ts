import type { DeliveryRequest } from '@sluice/destinations'
import { type AddressGuard, createAddressGuard } from '../transport/address-guard.ts'
import { sendFailure } from '../transport/send-failure.ts'
import type { ClosableTransport, NetworkFailure, TransportResult } from '../transport/transport.ts'
import { withinTime } from '../transport/within-time.ts'
import type { RedisCommand } from './redis-client.ts'
import { createRedisConnection, type RedisConnection } from './redis-connection.ts'
import { redisReply } from './redis-reply.ts'

export interface RedisSinkOptions {
  /** Time limit to connect, in milliseconds. Default 5,000. */
  readonly connectTimeMs?: number
  /** Maximum of connections, one per server, user and database. Default 64. */
  readonly connectionsMax?: number
  /** Checks which addresses may be connected to. Default: only public ones. */
  readonly guard?: AddressGuard
}

interface Connected {
  readonly connection: RedisConnection
  /** Number of running requests. */
  busy: number
}

/**
 * Creates a sink that runs the commands of a request. Commands for different keys run concurrently, those for one key
 * one after the other, which keeps their order also in a cluster. Commands must be idempotent: when a request fails,
 * some of them may have been done.
 */
export function createRedisSink({
  connectTimeMs = 5_000,
  connectionsMax = 64,
  guard = createAddressGuard([]),
}: RedisSinkOptions = {}): ClosableTransport {
  /** Connections by address and credentials, most recently used last. */
  const connections = new Map<string, Connected>()

  function connectedFor(request: DeliveryRequest): Connected | undefined {
    const key = JSON.stringify([request.endpoint, request.headers, request.params])
    let found = connections.get(key)
    if (!found?.connection.isUsable) {
      connections.delete(key)
      found = undefined
      if (!makeRoom()) return undefined
    }
    const connected = found ?? { connection: createRedisConnection(request, { connectTimeMs, guard }), busy: 0 }
    connections.delete(key)
    connections.set(key, connected)
    return connected
  }

  function makeRoom(): boolean {
    for (const [key, { connection, busy }] of connections) {
      if (connections.size < connectionsMax) return true
      if (busy > 0) continue
      connection.destroy()
      connections.delete(key)
    }
    return connections.size < connectionsMax
  }

  return {
    send: (request, options) =>
      withinTime(request, options, async (stopped): Promise<TransportResult> => {
        const connected = connectedFor(request)
        if (!connected) return tooMany
        const { connection } = connected
        // A connection that does not answer in time is not used again.
        const giveUp = (): void => connection.destroy()
        stopped.addEventListener('abort', giveUp)
        connected.busy += 1
        try {
          return redisReply(await runAll(connection, commandsOf(request)))
        } catch (error) {
          connection.destroy()
          return sendFailure(error, request)
        } finally {
          connected.busy -= 1
          stopped.removeEventListener('abort', giveUp)
        }
      }),
    async close() {
      for (const { connection } of connections.values()) connection.destroy()
      connections.clear()
    },
  }
}

const tooMany: NetworkFailure = {
  kind: 'network',
  code: 'ECONNECTIONSMAX',
  message: 'All allowed Redis connections are busy.',
}

async function runAll(
  connection: RedisConnection,
  commands: readonly RedisCommand[],
): Promise<readonly (string | undefined)[]> {
  const ofKey = new Map<string, RedisCommand[]>()
  for (const command of commands) {
    const own = ofKey.get(command[1])
    if (own) own.push(command)
    else ofKey.set(command[1], [command])
  }
  const refusals = [...ofKey.values()].map(async (own) => {
    const results: (string | undefined)[] = []
    for (const command of own) results.push(await connection.run(command))
    return results
  })
  return (await Promise.all(refusals)).flat()
}

function commandsOf({ body }: DeliveryRequest): readonly RedisCommand[] {
  const commands = body.JSON['commands']
  if (!Array.isArray(commands)) return []
  return commands.flatMap((command) => {
    if (!Array.isArray(command)) return []
    const [name, key, ...args] = command.map(String)
    return name === undefined || key === undefined ? [] : [[name, key, ...args] as const]
  })
}

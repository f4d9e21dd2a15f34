import type { DeliveryRequest } from '@sluice/destinations'
import { sendFailure } from '../../transport/send-failure.ts'
import { type AddressGuard, createAddressGuard } from '../../transport/sockets/address-guard.ts'
import { PeerSockets } from '../../transport/sockets/peer-sockets.ts'
import { withinTime } from '../../transport/time/within-time.ts'
import type { TransportResult } from '../../transport/transport.ts'
import { ConnectionPool, tooManyConnections } from '../brokers/connection-pool.ts'
import { type ClosableSink, heldBackNow } from '../sink-options.ts'
import type { RedisCommand } from './redis-client.ts'
import { createRedisConnection, type RedisConnection } from './redis-connection.ts'
import { type RedisAnswer, redisReply } from './redis-reply.ts'

export interface RedisSinkOptions {
  /** Time limit to connect, in milliseconds. Default 5,000. */
  readonly connectTimeMs?: number
  /** Maximum of connections, one per server, user and database. Default 64. */
  readonly connectionsMax?: number
  /** Returns what checks the addresses of an owner's connections. Default: only public ones are allowed. */
  readonly guardOf?: (owner: string) => AddressGuard
}

/**
 * Creates a sink that runs the commands of a request. Commands for different keys run concurrently, those for one key
 * one after the other, which keeps their order also in a cluster. Commands must be idempotent: when a request fails,
 * some of them may have been done.
 */
export function createRedisSink({
  connectTimeMs = 5_000,
  connectionsMax = 64,
  guardOf = () => createAddressGuard([]),
}: RedisSinkOptions = {}): ClosableSink {
  const opening = (request: DeliveryRequest, owner: string): RedisConnection =>
    createRedisConnection(request, { connectTimeMs, sockets: new PeerSockets(guardOf(owner)) })
  const pool = new ConnectionPool(opening, connectionsMax)
  return {
    send: (request, options) =>
      withinTime(request, options, async (stopped): Promise<TransportResult> => {
        try {
          const run = async (connection: RedisConnection) => {
            await connection.tried
            const asked = heldBackNow(request, options)
            const heldBack = asked instanceof Promise ? await asked : asked
            if (heldBack) return heldBack
            return redisReply(await runAll(connection, commandsOf(request)))
          }
          return (await pool.use(request, options.owner, stopped, run)) ?? tooManyConnections
        } catch (error) {
          return sendFailure(error, request)
        }
      }),
    close: async () => pool.destroy(),
  }
}

async function runAll(connection: RedisConnection, commands: readonly RedisCommand[]): Promise<readonly RedisAnswer[]> {
  const ofKey = new Map<string, RedisCommand[]>()
  for (const command of commands) {
    const own = ofKey.get(command[1])
    if (own) own.push(command)
    else ofKey.set(command[1], [command])
  }
  const answers = [...ofKey.values()].map(async (own) => {
    const results: RedisAnswer[] = []
    for (const command of own) results.push(await connection.run(command))
    return results
  })
  return (await Promise.all(answers)).flat()
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

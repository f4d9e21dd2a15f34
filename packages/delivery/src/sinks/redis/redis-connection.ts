import type { DeliveryRequest } from '@sluice/destinations'
import { brokerClient } from '../brokers/broker-clients.ts'
import { createRedisClient, type RedisClient, type RedisClientOptions, type RedisCommand } from './redis-client.ts'
import type { RedisAnswer } from './redis-reply.ts'

/** A connection that opens itself once and never reconnects. */
export interface RedisConnection {
  /** False once the connection is closed or failed. */
  readonly isUsable: boolean
  /** Resolves when it is connected, or cannot be: `run` says which. */
  readonly tried: Promise<void>
  /**
   * Runs a command. Resolves with the server's answer, or its error about the command, the credentials or the database.
   * Rejects when there is no answer.
   */
  run(command: RedisCommand): Promise<RedisAnswer>
  /** Disconnects immediately; pending commands fail. Can be called twice. */
  destroy(): void
}

/** Starts to connect to the server of a request. */
export function createRedisConnection(request: DeliveryRequest, options: RedisClientOptions): RedisConnection {
  let client: RedisClient | undefined
  let isOver = false
  const opening = open()
  opening.catch(destroy)

  async function open(): Promise<RedisClient> {
    const redis = await brokerClient('@redis/client')
    if (isOver) throw new redis.ClientClosedError()
    client = createRedisClient(redis, request, options)
    await client.connect()
    return client
  }

  function destroy(): void {
    isOver = true
    client?.destroy()
  }

  return {
    get isUsable() {
      return !isOver && client?.isOpen !== false
    },
    tried: opening.then(
      () => {},
      () => {},
    ),
    async run(command) {
      try {
        return { value: await (await opening).send(command) }
      } catch (error) {
        const { ErrorReply } = await brokerClient('@redis/client')
        if (error instanceof ErrorReply) return { refusal: error.message }
        throw error
      }
    },
    destroy,
  }
}

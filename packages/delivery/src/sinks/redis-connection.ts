import type { DeliveryRequest } from '@sluice/destinations'
import { createRedisClient, type RedisClient, type RedisClientOptions, type RedisCommand } from './redis-client.ts'

/** A connection that opens by itself, once. */
export interface RedisConnection {
  /** False when it is of no use any more. */
  readonly isUsable: boolean
  /**
   * What the server has against a command, or against the credentials or the database; undefined when it is done. Rejects
   * when there is no answer.
   */
  run(command: RedisCommand): Promise<string | undefined>
  /** Lets go at once; what is under way fails. Calling it twice is fine. */
  destroy(): void
}

/** Begins to connect to what the request speaks of. */
export function createRedisConnection(request: DeliveryRequest, options: RedisClientOptions): RedisConnection {
  let client: RedisClient | undefined
  let isOver = false
  const opening = open()
  opening.catch(destroy)

  async function open(): Promise<RedisClient> {
    const redis = await import('@redis/client')
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
    async run(command) {
      try {
        await (await opening).send(command)
        return undefined
      } catch (error) {
        const { ErrorReply } = await import('@redis/client')
        if (error instanceof ErrorReply) return error.message
        throw error
      }
    },
    destroy,
  }
}

import { createRedisSink, type RedisSinkOptions } from '../redis/redis-sink.ts'
import type { ClosableSink } from '../sink-options.ts'
import { openKafkaStream } from './kafka-stream.ts'
import { openMqttStream } from './mqtt-stream.ts'
import { openNatsStream } from './nats-stream.ts'
import { openRabbitmqStream } from './rabbitmq-stream.ts'
import { createStreamSink } from './stream-sink.ts'

/** Clients of brokers that open a connection for a request. */
const streams = { kafka: openKafkaStream, mqtt: openMqttStream, nats: openNatsStream, rabbitmq: openRabbitmqStream }

/** Kinds of clients of brokers. */
export type ClientKind = keyof typeof streams | 'redis'

/** Creates the sink of a client of a broker, in this process. */
export function createClient(client: ClientKind, options: RedisSinkOptions): ClosableSink {
  return client === 'redis' ? createRedisSink(options) : createStreamSink(streams[client], options)
}

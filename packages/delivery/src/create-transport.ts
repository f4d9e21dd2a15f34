import type { LookupFunction } from 'node:net'
import type { Clock } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import { createClientProcesses } from './clients/client-processes.ts'
import { createAwsSink } from './sinks/aws-sink.ts'
import { type ClientKind, createClient } from './sinks/brokers/create-client.ts'
import type { StreamSinkOptions } from './sinks/brokers/stream-sink.ts'
import { type ConsoleSinkOptions, createConsoleSink } from './sinks/files/console-sink.ts'
import { countFileLines } from './sinks/files/count-file-lines.ts'
import { createFileSink, type FileSinkOptions } from './sinks/files/file-sink.ts'
import { createPubsubSink } from './sinks/pubsub-sink.ts'
import type { RedisSinkOptions } from './sinks/redis/redis-sink.ts'
import { createS3Eraser, createS3Search } from './sinks/s3/s3-eraser.ts'
import { createS3Sink } from './sinks/s3/s3-sink.ts'
import type { CountLines, EraseLines } from './transport/erasure/line-erasure.ts'
import { createHttpClient, type HttpClientOptions } from './transport/http/http-client.ts'
import { createUndiciTransport } from './transport/http/undici-transport.ts'
import { type AddressGuard, createAddressGuard } from './transport/sockets/address-guard.ts'
import { createLookupTurns, type LookupTurns, systemLookupTurns } from './transport/sockets/lookup-turns.ts'
import type { ClosableTransport, Transport } from './transport/transport.ts'

export interface TransportOptions {
  readonly clock: Clock
  /** See `HttpClientOptions`; applies to all requests over the network. */
  readonly allowAddresses?: readonly string[]
  /** Looks up host names. Default: the system's resolver. */
  readonly lookup?: LookupFunction
  /** See `HttpClientOptions`; applies to requests over HTTP. */
  readonly mayLeave?: () => boolean
  readonly http?: Omit<HttpClientOptions, 'allowAddresses' | 'lookup' | 'mayLeave'>
  readonly console?: ConsoleSinkOptions
  readonly file?: Omit<FileSinkOptions, 'clock'>
  readonly redis?: Omit<RedisSinkOptions, 'guardOf'>
  /** Connections to message brokers, per kind of broker. */
  readonly streams?: Omit<StreamSinkOptions, 'guardOf'>
  /**
   * Where the clients of brokers and of Redis run. `processes`: in a process for each kind, started when needed, so that
   * no answer of a broker can stop this process. `here`: in this process, for programs that may start no others. Default
   * `processes`.
   */
  readonly clients?: 'processes' | 'here'
}

/**
 * Creates the transport for all destinations. REST requests are sent over HTTP, SINK requests to the sink that the
 * scheme of their endpoint names. REST requests never reach a sink: one to `file:` cannot be sent.
 *
 * @throws RangeError when a range of `allowAddresses` cannot be read.
 */
export function createTransport({
  clock,
  allowAddresses = [],
  lookup,
  mayLeave,
  clients = 'processes',
  ...options
}: TransportOptions): ClosableTransport {
  const turns = lookup ? createLookupTurns(lookup) : systemLookupTurns()
  const guardOf = (owner: string): AddressGuard => createAddressGuard(allowAddresses, turns.of(owner))
  const guarded: LookupTurns = { of: (owner) => guardOf(owner).lookup }
  const client = createHttpClient({ ...options.http, allowAddresses, mayLeave }, guarded)
  const http = createUndiciTransport({}, client)
  const file = createFileSink({ clock, ...options.file })
  const aws = createAwsSink({ client, clock })
  const clientOf = (client: ClientKind): ClosableTransport => {
    const given = client === 'redis' ? options.redis : options.streams
    if (clients === 'processes')
      return createClientProcesses({ setup: { client, allowAddresses, ...given }, lookupOf: guarded.of })
    return createClient(client, { ...given, guardOf })
  }
  const redis = clientOf('redis')
  const kafka = clientOf('kafka')
  const nats = clientOf('nats')
  const rabbitmq = clientOf('rabbitmq')
  const mqtt = clientOf('mqtt')
  const sinks = new Map<string, Transport>([
    ['amqp:', rabbitmq],
    ['amqps:', rabbitmq],
    ['console:', createConsoleSink(options.console)],
    ['events:', aws],
    ['file:', file],
    ['firehose:', aws],
    ['kafka:', kafka],
    ['kinesis:', aws],
    ['mqtt:', mqtt],
    ['mqtts:', mqtt],
    ['nats:', nats],
    ['pubsub:', createPubsubSink({ client })],
    ['redis:', redis],
    ['rediss:', redis],
    ['s3:', createS3Sink({ client, clock })],
    ['sqs:', aws],
  ])
  const erasers = new Map<string, EraseLines>([
    ['file:', file.eraseLines],
    ['s3:', createS3Eraser({ client, clock })],
  ])
  const searches = new Map<string, CountLines>([
    ['file:', countFileLines],
    ['s3:', createS3Search({ client, clock })],
  ])
  return {
    /** Not an async function: it would add promises to every request. */
    send(request, sendOptions) {
      if (request.type === 'REST') return http.send(request, sendOptions)
      const scheme = schemeOf(request)
      const found = sinks.get(scheme ?? '')
      if (found) return found.send(request, sendOptions)
      const message = `No sink for ${scheme ?? 'an address without a scheme'}; use ${[...sinks.keys()].join(' ')}.`
      return Promise.resolve({ kind: 'unsendable', code: 'ERR_UNKNOWN_SCHEME', message })
    },
    async eraseLines(erasure) {
      const scheme = schemeOf(erasure.place)
      const eraseLines = erasers.get(scheme ?? '')
      if (eraseLines) return eraseLines(erasure)
      return { status: 'aborted', reason: `users cannot be deleted from the lines kept at ${scheme ?? 'no scheme'}` }
    },
    async countLines(search) {
      const scheme = schemeOf(search.place)
      const countLines = searches.get(scheme ?? '')
      if (countLines) return countLines(search)
      return { ok: false, reason: `the lines kept at ${scheme ?? 'no scheme'} cannot be searched` }
    },
    async close() {
      await Promise.all([http, file, redis, kafka, nats, rabbitmq, mqtt].map((each) => each.close()))
    },
  }
}

function schemeOf({ endpoint }: DeliveryRequest): string | undefined {
  return /^[a-z0-9+.-]+:/i.exec(endpoint)?.[0].toLowerCase()
}

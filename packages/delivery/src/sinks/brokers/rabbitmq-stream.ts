import { isIP } from 'node:net'
import type { StreamMessage, StreamResult } from '@sluice/destinations'
import type { ChannelModel, ConfirmChannel } from 'amqplib'
import { basicCredentials } from '../basic-credentials.ts'
import { authorityOf, brokerAddress, endpointHost } from './broker-address.ts'
import { brokerClient } from './broker-clients.ts'
import { type OpenStream, RefusedByBroker, type StreamConnection } from './stream-sink.ts'

const keepAliveMs = 30_000

/**
 * Connects to a RabbitMQ broker. Messages are persistent and confirmed; one that no queue takes comes back and counts as
 * refused.
 */
export const openRabbitmqStream: OpenStream = async (request, { connectTimeMs, sockets }) => {
  const { connect } = await brokerClient('amqplib')
  const isSecure = request.endpoint.startsWith('amqps:')
  const { host, port } = brokerAddress(endpointHost(request), isSecure ? 5_671 : 5_672, sockets.guard)
  const [username = '', password = ''] = basicCredentials(request.headers['authorization']) ?? []
  const { virtualHost, exchange } = request.params
  const socket = {
    timeout: connectTimeMs,
    noDelay: true,
    keepAlive: true,
    keepAliveDelay: keepAliveMs,
    lookup: sockets.guard.lookup,
    signal: sockets.signal,
    ...(isSecure ? { ...authorityOf(request), servername: isIP(host) === 0 ? host : undefined } : {}),
  }
  let connection: ChannelModel
  try {
    const protocol = isSecure ? 'amqps' : 'amqp'
    const vhost = typeof virtualHost === 'string' ? virtualHost : '/'
    // No heartbeats: the library misses them on connections that failed to open, a minute later and with an exception that
    // nothing can handle. TCP keeps the connection alive, and a request that is not answered in time ends it.
    const place = { protocol, hostname: host, port, username, password, vhost, heartbeat: 0 }
    connection = await sockets.run(() => connect(place, socket))
  } catch (error) {
    throw refusedConnection(error) ?? error
  }
  // Without listeners, these events would end the process. Pending messages fail with the same errors.
  connection.on('error', () => {})
  const channel = await connection.createConfirmChannel()
  return rabbitmqConnection(connection, channel, String(exchange ?? ''))
}

function rabbitmqConnection(connection: ChannelModel, channel: ConfirmChannel, exchange: string): StreamConnection {
  let isUsable = true
  let failure: Error | undefined
  /** Correlation ids of messages that came back, because no queue takes them. */
  const returned = new Set<string>()
  let count = 0
  const end = (error?: Error): void => {
    isUsable = false
    failure ??= error
  }
  connection.on('close', end)
  channel.on('close', () => end())
  channel.on('error', end)
  // Arrives before the confirmation of the same message.
  channel.on('return', ({ properties }) => returned.add(String(properties.correlationId)))

  function publishOne({ message = {}, topic }: StreamMessage): Promise<StreamResult> {
    count += 1
    const correlationId = String(count)
    const { messageId } = message
    return new Promise((resolve, reject) => {
      const options = {
        persistent: true,
        mandatory: true,
        contentType: 'application/json',
        correlationId,
        messageId: typeof messageId === 'string' && messageId !== '' ? messageId : undefined,
      }
      try {
        channel.publish(exchange, String(topic), Buffer.from(JSON.stringify(message)), options, (error) => {
          if (returned.delete(correlationId)) resolve({ status: 404, message: 'no queue takes the routing key' })
          else if (!error) resolve({ status: 200 })
          else if (failure === undefined && isUsable) resolve({ status: 503, message: 'the broker could not store it' })
          else resolve(refusedChannel(failure))
        })
      } catch (error) {
        reject(error)
      }
    })
  }

  return {
    get isUsable() {
      return isUsable
    },
    publish: (messages) => Promise.all(messages.map(publishOne)),
    destroy() {
      isUsable = false
      connection.close().catch(() => {})
    },
  }
}

/** The broker closes the channel when the exchange does not exist, or may not be written to. */
function refusedChannel(error: (Error & { readonly code?: unknown }) | undefined): StreamResult {
  if (error?.code === 404) return { status: 404, message: 'the exchange does not exist' }
  if (error?.code === 403) return { status: 403, message: 'writing to the exchange is forbidden' }
  return { status: 503, message: 'the connection was closed' }
}

/** Source: AMQP 0-9-1, reply codes; the library has them in texts only. */
function refusedConnection(error: unknown): RefusedByBroker | undefined {
  const text = error instanceof Error ? error.message : ''
  if (/ACCESS[_-]REFUSED|403/.test(text)) return new RefusedByBroker(401, 'The credentials are wrong.')
  // Instead of opening the virtual host, which is what comes after signing in. The library leaves out the code of the close.
  const isClosed = text.includes('ConnectionOpenOk') && text.includes('ConnectionClose')
  if (isClosed || /NOT[_-]ALLOWED|530/.test(text))
    return new RefusedByBroker(403, 'The virtual host does not exist, or may not be used.')
  return undefined
}

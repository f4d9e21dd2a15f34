import { isIP } from 'node:net'
import { promisify } from 'node:util'
import type { JetStreamClient } from '@nats-io/jetstream'
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node'
import type { StreamMessage, StreamResult } from '@sluice/destinations'
import type { AddressGuard } from '../../transport/sockets/address-guard.ts'
import { BrokenPeerError } from '../../transport/sockets/guarded-socket.ts'
import type { PeerSockets } from '../../transport/sockets/peer-sockets.ts'
import { basicCredentials } from '../basic-credentials.ts'
import { authorityOf, type BrokerAddress, brokerAddress, endpointHost } from './broker-address.ts'
import { brokerClient } from './broker-clients.ts'
import { type OpenStream, RefusedByBroker, type StreamConnection } from './stream-sink.ts'

const portDefault = 4_222
/** A server that does not answer one ping until the next is taken for gone. */
const pingMs = 15_000

/** Connects to the first of the servers that accepts. With JetStream, a message counts as stored when a stream has it. */
export const openNatsStream: OpenStream = async (request, { connectTimeMs, sockets }) => {
  const [{ connect, AuthorizationError, UserAuthenticationExpiredError }, { jetstream }] = await Promise.all([
    brokerClient('@nats-io/transport-node'),
    brokerClient('@nats-io/jetstream'),
  ])
  const { params, headers } = request
  const others = Array.isArray(params['moreServers']) ? params['moreServers'].map(String) : []
  const shared: NodeConnectionOptions = {
    name: 'sluice',
    timeout: connectTimeMs,
    reconnect: false,
    pingInterval: pingMs,
    maxPingOut: 1,
    ignoreClusterUpdates: true,
    ...credentialsOf(headers['authorization']),
  }
  let failure: unknown
  for (const server of [endpointHost(request), ...others]) {
    try {
      const address = brokerAddress(server, portDefault, sockets.guard)
      const secure = { ...authorityOf(request), servername: isIP(address.host) === 0 ? address.host : undefined }
      const servers = await checkedServer(address, sockets.guard)
      const tls = params['tls'] === true ? secure : null
      const connection = await sockets.run(() => connect({ ...shared, servers, tls }))
      noticeCorruption(connection, sockets)
      return natsConnection(connection, params['jetStream'] === true ? jetstream(connection) : undefined)
    } catch (error) {
      if (error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError)
        throw new RefusedByBroker(401, 'The credentials are wrong.')
      failure ??= error
    }
  }
  throw failure
}

/**
 * The library stops to read a connection whose bytes it does not understand, and says so to nothing but the console. Its
 * parser is not in its types.
 */
function noticeCorruption(connection: NatsConnection, sockets: PeerSockets): void {
  const { protocol } = connection as { readonly protocol?: { readonly parser?: { parse(bytes: Uint8Array): void } } }
  const parser = protocol?.parser
  if (parser === undefined) return
  const parse = parser.parse.bind(parser)
  parser.parse = (bytes) => {
    try {
      parse(bytes)
    } catch {
      // Not thrown on, because the library would print the bytes.
      sockets.break(new BrokenPeerError('EPEERBROKEN', 'the bytes of the server are not those of NATS'))
    }
  }
}

/** The library looks up names itself, so it gets an address that was looked up and checked. */
async function checkedServer({ host, port }: BrokerAddress, guard: AddressGuard): Promise<string> {
  const lookup = promisify<string, object, string>((name, options, done) =>
    guard.lookup(name, options, (error, address) => done(error, String(address))),
  )
  const address = isIP(host) === 0 ? await lookup(host, {}) : host
  return `${isIP(address) === 6 ? `[${address}]` : address}:${port}`
}

function natsConnection(connection: NatsConnection, stream: JetStreamClient | undefined): StreamConnection {
  let isOver = false
  // The library leaves requests of a broken connection waiting.
  const lost = connection.closed().then((error) => {
    isOver = true
    throw error ?? new Error('the connection was closed')
  })
  lost.catch(() => {})
  const bytesMax = connection.info?.max_payload ?? Number.POSITIVE_INFINITY
  const prepared = (messages: readonly StreamMessage[]) =>
    messages.map(({ message = {}, topic }) => ({ subject: String(topic), data: JSON.stringify(message), message }))
  return {
    get isUsable() {
      return !isOver && !connection.isClosed()
    },
    async publish(messages) {
      const results = prepared(messages).map(async ({ subject, data, message }): Promise<StreamResult> => {
        if (Buffer.byteLength(data) > bytesMax) return { status: 413, message: `more than ${bytesMax} bytes` }
        if (stream === undefined) {
          connection.publish(subject, data)
          return { status: 200 }
        }
        const { messageId } = message
        const options = typeof messageId === 'string' && messageId !== '' ? { msgID: messageId } : {}
        return stream.publish(subject, data, options).then(() => ({ status: 200 }), refusal)
      })
      const settled = await Promise.race([Promise.all(results), lost])
      // Without a stream, the server has at least received the messages.
      if (stream === undefined) await Promise.race([connection.flush(), lost])
      return settled
    },
    destroy() {
      isOver = true
      connection.close().catch(() => {})
    },
  }
}

async function refusal(error: unknown): Promise<StreamResult> {
  const { JetStreamApiError } = await brokerClient('@nats-io/jetstream')
  const { NoRespondersError, PermissionViolationError, RequestError } = await brokerClient('@nats-io/transport-node')
  if (error instanceof JetStreamApiError) return { status: error.status >= 500 ? 503 : 400, message: error.message }
  if (error instanceof PermissionViolationError)
    return { status: 403, message: 'publishing to the subject is forbidden' }
  const cause = error instanceof RequestError ? error.cause : error
  const isUnheard = error instanceof NoRespondersError || cause instanceof NoRespondersError
  if (isUnheard || (error instanceof Error && error.name === 'JetStreamNotEnabled'))
    return { status: 404, message: 'no stream stores the subject, or JetStream is off' }
  return { status: 503, message: error instanceof Error ? error.name : 'no acknowledgement' }
}

function credentialsOf(authorization = ''): NodeConnectionOptions {
  if (authorization.startsWith('Bearer ')) return { token: authorization.slice('Bearer '.length) }
  const [user, pass] = basicCredentials(authorization) ?? []
  return user === undefined || pass === undefined ? {} : { user, pass }
}

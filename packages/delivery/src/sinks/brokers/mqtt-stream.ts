import { randomUUID } from 'node:crypto'
import type { StreamMessage, StreamResult } from '@sluice/destinations'
import type { IClientOptions, MqttClient } from 'mqtt'
import { openGuardedSocket } from '../../transport/sockets/open-guarded-socket.ts'
import { basicCredentials } from '../basic-credentials.ts'
import { authorityOf, brokerAddress, endpointHost } from './broker-address.ts'
import { brokerClient } from './broker-clients.ts'
import { type OpenStream, RefusedByBroker, type StreamConnection } from './stream-sink.ts'

/** Most messages under way, unless the broker takes fewer. Source: MQTT 5.0 (OASIS), Receive Maximum. */
const inFlightMaxDefault = 1_000

/** Connects to an MQTT broker with version 5 of the protocol. A message counts as stored when it is acknowledged. */
export const openMqttStream: OpenStream = async (request, { connectTimeMs, sockets }) => {
  const { MqttClient } = await brokerClient('mqtt')
  const isSecure = request.endpoint.startsWith('mqtts:')
  const { host, port } = brokerAddress(endpointHost(request), isSecure ? 8_883 : 1_883, sockets.guard)
  const [username, password] = basicCredentials(request.headers['authorization']) ?? []
  const options: IClientOptions = {
    clientId: `sluice-${randomUUID()}`,
    protocolVersion: 5,
    connectTimeout: connectTimeMs,
    reconnectPeriod: 0,
    clean: true,
    ...(username === undefined || password === undefined ? {} : { username, password }),
  }
  const place = { host, port, tls: isSecure ? authorityOf(request) : undefined }
  const client = new MqttClient(() => openGuardedSocket(place, sockets.rules), options)
  const inFlightMax = await connected(client)
  return mqttConnection(client, inFlightMax, request.params['retain'] === true)
}

/** Resolves with the number of messages that the broker takes before it acknowledges some of them. */
function connected(client: MqttClient): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error?: Error): void => {
      client.end(true)
      reject(refusedConnection(error) ?? error ?? new Error('the connection was closed'))
    }
    client.once('connect', ({ properties }) =>
      // None is an error of the broker; without a message there would be no end of waiting.
      resolve(Math.max(1, Math.min(properties?.receiveMaximum ?? inFlightMaxDefault, inFlightMaxDefault))),
    )
    client.on('error', fail)
    client.once('close', () => fail())
  })
}

function mqttConnection(client: MqttClient, inFlightMax: number, retain: boolean): StreamConnection {
  let isOver = false
  client.on('close', () => {
    isOver = true
  })

  async function publishOne({ message = {}, topic }: StreamMessage): Promise<StreamResult> {
    try {
      await client.publishAsync(String(topic), JSON.stringify(message), {
        qos: 1,
        retain,
        properties: { contentType: 'application/json', payloadFormatIndicator: true },
      })
      return { status: 200 }
    } catch (error) {
      return refusal(error)
    }
  }

  return {
    get isUsable() {
      return !isOver && client.connected
    },
    async publish(messages) {
      const results: StreamResult[] = []
      for (let from = 0; from < messages.length; from += inFlightMax)
        results.push(...(await Promise.all(messages.slice(from, from + inFlightMax).map(publishOne))))
      return results
    },
    destroy() {
      isOver = true
      client.end(true)
    },
  }
}

/** Source: MQTT 5.0 (OASIS), reason codes of PUBACK. */
const refusals: Readonly<Record<number, StreamResult>> = {
  135: { status: 403, message: 'publishing to the topic is forbidden' },
  144: { status: 400, message: 'the broker does not accept the topic' },
  149: { status: 413, message: 'the message is too large for the broker' },
  151: { status: 429, message: 'the quota of the broker is exceeded' },
  153: { status: 400, message: 'the broker does not accept the content' },
}

function refusal(error: unknown): StreamResult {
  const code = codeOf(error)
  return (code === undefined ? undefined : refusals[code]) ?? { status: 503, message: 'no acknowledgement' }
}

/** Source: MQTT 5.0 (OASIS), reason codes of CONNACK. */
function refusedConnection(error: unknown): RefusedByBroker | undefined {
  const code = codeOf(error)
  if (code === 134 || code === 135 || code === 4 || code === 5)
    return new RefusedByBroker(401, 'The credentials are wrong.')
  if (code === 132 || code === 1) return new RefusedByBroker(400, 'The broker does not speak MQTT 5.')
  return undefined
}

function codeOf(error: unknown): number | undefined {
  const { code } = Object(error) as { readonly code?: unknown }
  return typeof code === 'number' ? code : undefined
}

import { onFrames, startTcpServer, type TcpServer } from './tcp-server.ts'

const keys = { produce: 0, metadata: 3, saslHandshake: 17, apiVersions: 18, saslAuthenticate: 36 }
/** Versions of requests that the broker takes. */
const versions = [
  [keys.produce, 3],
  [keys.metadata, 1],
  [keys.saslHandshake, 1],
  [keys.saslAuthenticate, 0],
  [keys.apiVersions, 2],
] as const
/** Source: Apache Kafka docs, error codes. */
export const kafkaErrors = {
  unknownTopic: 3,
  notLeader: 6,
  messageTooLarge: 10,
  invalidTopic: 17,
  topicAuthorization: 29,
  saslAuthentication: 58,
  invalidRecord: 87,
} as const

/** How the cluster behaves. */
export interface KafkaBehaviour {
  /** Host and port that the cluster announces for its broker. Default: its own. */
  readonly announced?: { readonly host: string; readonly port: number }
  /** Partitions of each topic. Default 1. */
  readonly partitions?: number
  /** Error of a topic, by its name; 0 for none. */
  readonly topicError?: (topic: string) => number
  /** Error of a batch with an invalid message. Default `invalidRecord`. */
  readonly batchError?: number
  /** Error of a batch, by the ids of its messages; 0 for none. Default: `batchError` for one with an invalid message. */
  readonly errorOf?: (messageIds: readonly string[]) => number
}

export interface KafkaBroker extends TcpServer {
  /** Ids of the messages in each batch that was stored. */
  readonly stored: readonly (readonly string[])[]
  /** Ids of the messages in each batch that was refused. */
  readonly refused: readonly (readonly string[])[]
}

/**
 * Starts a Kafka cluster of one broker, with topics of any name. As Kafka does, it stores or refuses a batch as a whole. Each attempt
 * to sign in is refused.
 *
 * @param isInvalid whether the broker refuses batches with the message of this id.
 */
export async function startKafkaBroker(
  isInvalid: (messageId: string) => boolean,
  behaviour: KafkaBehaviour = {},
): Promise<KafkaBroker> {
  const { announced, partitions = 1, topicError = () => 0, batchError = kafkaErrors.invalidRecord } = behaviour
  const { errorOf = (ids: readonly string[]) => (ids.some(isInvalid) ? batchError : 0) } = behaviour
  const stored: (readonly string[])[] = []
  const refused: (readonly string[])[] = []

  function produce(body: Buffer): Buffer {
    // Transactional id (absent), acknowledgements and time limit come before the only topic.
    const [topic, afterTopic] = textAt(body, 2 + 2 + 4 + 4)
    // The number of partitions, which is one, comes before it.
    const index = body.readInt32BE(afterTopic + 4)
    const ids = [...body.toString('latin1').matchAll(/"messageId":"([^"]+)"/g)].map(([, id]) => String(id))
    const error = errorOf(ids)
    ;(error === 0 ? stored : refused).push(ids)
    const partition = [int32(index), int16(error), int64(0), int64(-1)]
    return Buffer.concat([int32(1), text(topic), int32(1), ...partition, int32(0)])
  }

  function metadata(body: Buffer, port: number): Buffer {
    const isAboutTopic = body.length > 4 && body.readInt32BE(0) > 0
    const { host, port: at } = announced ?? { host: 'localhost', port }
    const broker = [int32(1), text(host), int32(at), int16(-1)]
    const each = Array.from({ length: partitions }, (_, index) => index).flatMap((index) => [
      int16(0),
      int32(index),
      int32(1),
      int32(1),
      int32(1),
      int32(1),
      int32(1),
    ])
    const name = isAboutTopic ? textAt(body, 4)[0] : ''
    const error = topicError(name)
    const list = error === 0 ? [int32(partitions), ...each] : [int32(0)]
    const topic = isAboutTopic ? [int16(error), text(name), Buffer.from([0]), ...list] : []
    return Buffer.concat([int32(1), ...broker, int32(1), int32(isAboutTopic ? 1 : 0), ...topic])
  }

  function replyTo(key: number, body: Buffer, port: number): Buffer {
    switch (key) {
      case keys.produce:
        return produce(body)
      case keys.metadata:
        return metadata(body, port)
      case keys.saslHandshake:
        return Buffer.concat([int16(0), int32(1), text('PLAIN')])
      case keys.saslAuthenticate:
        return Buffer.concat([int16(kafkaErrors.saslAuthentication), text('Authentication failed'), int32(0)])
      default:
        return apiVersions()
    }
  }

  const server = await startTcpServer((socket) => {
    onFrames(socket, frameLength, (frame) => {
      const key = frame.readInt16BE(4)
      const [, bodyAt] = textAt(frame, 12)
      const body = frame.subarray(bodyAt)
      const reply = replyTo(key, body, server.port)
      const correlationId = frame.subarray(8, 12)
      socket.write(Buffer.concat([int32(4 + reply.length), correlationId, reply]))
    })
  })
  return { ...server, stored, refused }
}

function apiVersions(): Buffer {
  const each = versions.flatMap(([key, version]) => [int16(key), int16(version), int16(version)])
  return Buffer.concat([int16(0), int32(versions.length), ...each, int32(0)])
}

function frameLength(bytes: Buffer): number | undefined {
  return bytes.length < 4 ? undefined : 4 + bytes.readInt32BE(0)
}

/** Returns the text at a place, and the place after it. */
function textAt(bytes: Buffer, place: number): readonly [string, number] {
  const end = place + 2 + Math.max(0, bytes.readInt16BE(place))
  return [bytes.toString('utf8', place + 2, end), end]
}

function text(value: string): Buffer {
  return Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)])
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes
}

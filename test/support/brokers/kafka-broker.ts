import { onFrames, startTcpServer, type TcpServer } from './tcp-server.ts'

const keys = { produce: 0, metadata: 3, apiVersions: 18 }
/** Versions of requests that the broker takes. */
const versions = [
  [keys.produce, 3],
  [keys.metadata, 1],
  [keys.apiVersions, 2],
] as const
/** Source: Apache Kafka docs, error codes. */
const invalidRecord = 87

export interface KafkaBroker extends TcpServer {
  /** Ids of the messages in each batch that was stored. */
  readonly stored: readonly (readonly string[])[]
  /** Ids of the messages in each batch that was refused. */
  readonly refused: readonly (readonly string[])[]
}

/**
 * Starts a Kafka cluster of one broker, one topic with any name and one partition. As Kafka does, it stores or refuses a
 * batch as a whole.
 *
 * @param isInvalid whether the broker refuses batches with the message of this id.
 * @param announced host and port that the cluster announces for its broker. Default: its own.
 */
export async function startKafkaBroker(
  isInvalid: (messageId: string) => boolean,
  announced?: { readonly host: string; readonly port: number },
): Promise<KafkaBroker> {
  const stored: (readonly string[])[] = []
  const refused: (readonly string[])[] = []

  function produce(body: Buffer): Buffer {
    // Transactional id (absent), acknowledgements and time limit come before the only topic.
    const [topic] = textAt(body, 2 + 2 + 4 + 4)
    const ids = [...body.toString('latin1').matchAll(/"messageId":"([^"]+)"/g)].map(([, id]) => String(id))
    const isRefused = ids.some(isInvalid)
    ;(isRefused ? refused : stored).push(ids)
    const partition = [int32(0), int16(isRefused ? invalidRecord : 0), int64(0), int64(-1)]
    return Buffer.concat([int32(1), text(topic), int32(1), ...partition, int32(0)])
  }

  function metadata(body: Buffer, port: number): Buffer {
    const isAboutTopic = body.length > 4 && body.readInt32BE(0) > 0
    const { host, port: at } = announced ?? { host: 'localhost', port }
    const broker = [int32(1), text(host), int32(at), int16(-1)]
    const partition = [int16(0), int32(0), int32(1), int32(1), int32(1), int32(1), int32(1)]
    const topic = isAboutTopic ? [int16(0), text(textAt(body, 4)[0]), Buffer.from([0]), int32(1), ...partition] : []
    return Buffer.concat([int32(1), ...broker, int32(1), int32(isAboutTopic ? 1 : 0), ...topic])
  }

  const server = await startTcpServer((socket) => {
    onFrames(socket, frameLength, (frame) => {
      const key = frame.readInt16BE(4)
      const [, bodyAt] = textAt(frame, 12)
      const body = frame.subarray(bodyAt)
      const reply =
        key === keys.produce ? produce(body) : key === keys.metadata ? metadata(body, server.port) : apiVersions()
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

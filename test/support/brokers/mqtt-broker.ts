import type { Socket } from 'node:net'
import { onFrames, startTcpServer, type TcpServer } from './tcp-server.ts'

const types = { connect: 1, publish: 3 }
/** Source: MQTT 5.0 (OASIS), 4.13.1. */
const receiveMaximumExceeded = 0x93

export interface MqttBroker extends TcpServer {
  /** The largest number of messages that waited for their acknowledgement at the same time. */
  readonly waitingMax: () => number
}

/**
 * Starts a broker for MQTT 5 that takes messages with quality of service 1. It acknowledges them late, all that wait at
 * once, and disconnects clients that send more than it takes.
 *
 * @param receiveMaximum number of messages without acknowledgement that it takes.
 */
export async function startSlowMqttBroker(receiveMaximum: number): Promise<MqttBroker> {
  let waitingMax = 0
  const server = await startTcpServer((socket) => {
    const waiting: number[] = []
    onFrames(socket, packetLength, (packet) => {
      const type = (packet[0] ?? 0) >> 4
      // Property 0x21 is Receive Maximum.
      if (type === types.connect) socket.write(Buffer.from([0x20, 6, 0, 0, 3, 0x21, 0, receiveMaximum]))
      if (type !== types.publish) return
      waiting.push(packetId(packet))
      waitingMax = Math.max(waitingMax, waiting.length)
      if (waiting.length > receiveMaximum) socket.end(Buffer.from([0xe0, 1, receiveMaximumExceeded]))
      else if (waiting.length === 1) setTimeout(() => acknowledge(socket, waiting.splice(0)), 20)
    })
  })
  return { ...server, waitingMax: () => waitingMax }
}

function acknowledge(socket: Socket, ids: readonly number[]): void {
  if (socket.writable) socket.write(Buffer.concat(ids.map((id) => Buffer.from([0x40, 2, id >> 8, id & 0xff]))))
}

/** The length is a number of up to four bytes with seven bits each, the lowest first. */
function packetLength(bytes: Buffer): number | undefined {
  let length = 0
  for (let place = 1; place <= 4; place += 1) {
    const byte = bytes[place]
    if (byte === undefined) return undefined
    length += (byte & 0x7f) * 128 ** (place - 1)
    if (byte < 0x80) return 1 + place + length
  }
  throw new Error('the length of a packet has more than four bytes')
}

/** The id comes after the topic. */
function packetId(publish: Buffer): number {
  const body = publish.findIndex((byte, place) => place > 0 && byte < 0x80) + 1
  return publish.readUInt16BE(body + 2 + publish.readUInt16BE(body))
}

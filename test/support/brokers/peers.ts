import type { Socket } from 'node:net'

/** Returns what a peer says to bytes of its client; what it says first is said to none. */
export type Talk = (bytes: Buffer | undefined) => Buffer | undefined

/**
 * Peers of the protocols of destinations, which say the least that lets a client connect and send one message. Each
 * connection has a talk of its own. Good enough to be damaged: see `damagedTalk`.
 */
export const peers = {
  rabbitmq: () => {
    let published = 0
    return (bytes?: Buffer) => {
      if (bytes === undefined) return undefined
      if (bytes.includes('AMQP')) return amqp(0, 10, 10, [0, 9, 0, 0, 0, 0, ...longText('PLAIN'), ...longText('en_US')])
      if (bytes.includes(methodOf(10, 11))) return amqp(0, 10, 30, [0, 100, 0, 1, 0, 0, 0, 0])
      if (bytes.includes(methodOf(10, 40))) return amqp(0, 10, 41, [0])
      if (bytes.includes(methodOf(20, 10))) return amqp(1, 20, 11, [0, 0, 0, 0])
      if (bytes.includes(methodOf(85, 10))) return amqp(1, 85, 11, [])
      if (!bytes.includes(methodOf(60, 40))) return undefined
      published += 1
      return amqp(1, 60, 80, [0, 0, 0, 0, 0, 0, 0, published, 0])
    }
  },
  redis: () => (bytes?: Buffer) => {
    const commands = bytes?.toString('latin1').match(/^\*\d+\r\n/gm) ?? []
    return commands.length === 0 ? undefined : Buffer.from(commands.map(() => '+OK\r\n').join(''))
  },
  nats: () => (bytes?: Buffer) => {
    if (bytes === undefined) return Buffer.from(`INFO ${JSON.stringify(natsInfo)}\r\n`)
    return bytes.includes('PING') ? Buffer.from('PONG\r\n') : undefined
  },
  mqtt: () => (bytes?: Buffer) => {
    const type = (bytes?.[0] ?? 0) >> 4
    if (bytes === undefined || (type !== 1 && type !== 3)) return undefined
    return type === 1 ? Buffer.from([0x20, 3, 0, 0, 0]) : Buffer.concat([Buffer.from([0x40, 2]), mqttId(bytes)])
  },
  postgres: () => (bytes?: Buffer) => {
    if (bytes === undefined) return undefined
    const ready = pg('Z', Buffer.from('I'))
    if (bytes[0] === 0) return Buffer.concat([pg('R', Buffer.alloc(4)), pg('K', Buffer.alloc(8)), ready])
    return Buffer.concat([pg('C', Buffer.from('SELECT 0\0')), ready])
  },
  mysql: () => {
    let step = 0
    return (bytes?: Buffer) => {
      step += 1
      if (bytes === undefined) return mysqlGreeting
      return Buffer.from([7, 0, 0, step === 2 ? 2 : 1, 0, 0, 0, 2, 0, 0, 0])
    }
  },
} as const satisfies Record<string, () => Talk>

/** Lets a socket speak as a talk says. */
export function speak(socket: Socket, talk: Talk): void {
  const answer = (bytes: Buffer | undefined): void => {
    const said = talk(bytes)
    if (said && socket.writable) socket.write(said)
  }
  socket.on('data', answer)
  answer(undefined)
}

/** Returns the same talk until its answer `at`, which is damaged in one of many ways. @param random from 0 to below 1. */
export function damagedTalk(talk: Talk, at: number, random: () => number): Talk {
  let said = 0
  return (bytes) => {
    const answer = talk(bytes)
    if (answer === undefined) return undefined
    said += 1
    return said === at ? damaged(answer, random) : answer
  }
}

function damaged(bytes: Buffer, random: () => number): Buffer {
  const below = (max: number): number => Math.floor(random() * max)
  const place = below(bytes.length)
  const noise = (length: number): Buffer => Buffer.from(Array.from({ length }, () => below(256)))
  const ways: readonly (() => Buffer)[] = [
    () => bytes.subarray(0, place),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([bytes, noise(1 + below(200))]),
    () => noise(1 + below(400)),
    () => changed(bytes, place, 0xff),
    () => changed(changed(changed(bytes, place, 0xff), place + 1, 0xff), place + 2, 0xff),
    () => changed(bytes, place, 0),
    () => changed(bytes, place, below(256)),
    () => Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1)]),
    () => Buffer.concat([bytes, Buffer.alloc(100_000, bytes[place] ?? 0)]),
    () => Buffer.concat([bytes.subarray(0, place), noise(4), bytes.subarray(place)]),
  ]
  return ways[below(ways.length)]?.() ?? bytes
}

function changed(bytes: Buffer, place: number, byte: number): Buffer {
  const copy = Buffer.from(bytes)
  if (place < copy.length) copy[place] = byte
  return copy
}

/** A frame with a method. Source: AMQP 0-9-1, 2.3.5. */
export function amqp(channel: number, classId: number, methodId: number, fields: readonly number[]): Buffer {
  const payload = Buffer.concat([methodOf(classId, methodId), Buffer.from(fields)])
  const head = Buffer.alloc(7)
  head[0] = 1
  head.writeUInt16BE(channel, 1)
  head.writeUInt32BE(payload.length, 3)
  return Buffer.concat([head, payload, Buffer.from([0xce])])
}

function methodOf(classId: number, methodId: number): Buffer {
  return Buffer.from([0, classId, 0, methodId])
}

/** The id of a message that is published comes after its topic. */
function mqttId(publish: Buffer): Buffer {
  const body = publish.findIndex((byte, place) => place > 0 && byte < 0x80) + 1
  const place = body + 2 + publish.readUInt16BE(body)
  return publish.subarray(place, place + 2)
}

function longText(text: string): readonly number[] {
  return [0, 0, 0, text.length, ...Buffer.from(text)]
}

/** A message. Source: PostgreSQL docs, Message Formats. */
export function pg(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

export const natsInfo = { server_id: 'x', version: '2.10.0', proto: 1, max_payload: 100_000, headers: true }

/** Source: MySQL docs, Protocol::HandshakeV10. */
const mysqlGreeting = (() => {
  const body = Buffer.concat([
    Buffer.from([10]),
    Buffer.from('8.0.36\0'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('12345678\0'),
    Buffer.from([0xff, 0xf7, 0xff, 2, 0, 0xff, 0xdf, 21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0'),
    Buffer.from('mysql_native_password\0'),
  ])
  return Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body])
})()

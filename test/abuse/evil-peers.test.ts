import type { LookupFunction } from 'node:net'
import { createSeededRandom, systemClock } from '@sluice/core'
import { createGuardedSockets, createTransport, type TransportOptions } from '@sluice/delivery'
import { sink } from '@sluice/destinations/kit'
import { createMysqlWarehouse, createPostgresWarehouse, createRedshiftWarehouse } from '@sluice/warehouse'
import { afterEach, describe, expect, it } from 'vitest'
import { startKafkaBroker } from '../support/brokers/kafka-broker.ts'
import { amqp, damagedTalk, natsInfo, peers, pg, speak, type Talk } from '../support/brokers/peers.ts'
import { startTcpServer } from '../support/brokers/tcp-server.ts'
import { eventually } from '../support/eventually.ts'
import { hangMs } from '../support/hang-ms.ts'
import { sized } from '../support/long.ts'
import { runSeed } from '../support/seed.ts'

/** Damaged connections per protocol. */
const rounds = sized(20, 200)
/** The usual rounds end within the limit of every test; ten times as many need more. */
const limit = { timeout: sized(2 * hangMs, 300_000) }
const authorization = `Basic ${Buffer.from('u:p').toString('base64')}`
const tracked = {
  messages: [{ message: { messageId: 'm' }, userId: 'u', topic: 't' }],
  commands: [['HSET', 'a', 'b', 'c']],
}

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function listening(talkOf: () => Talk) {
  const server = await startTcpServer((socket) => speak(socket, talkOf()))
  cleanups.push(() => server.close())
  return server
}

function transport(options: Partial<TransportOptions> = {}) {
  const created = createTransport({ clock: systemClock, allowAddresses: ['localhost'], ...options })
  cleanups.push(() => created.close())
  return created
}

const requestTo = (
  endpoint: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = { authorization },
) =>
  sink({
    method: 'PUBLISH',
    endpoint,
    headers,
    params: params as never,
    body: tracked as never,
    userId: 'u',
  })
const options = (owner = 'A', timeMs = 2_000) => ({ signal: new AbortController().signal, timeMs, owner })
const endpoints = { rabbitmq: 'amqp', redis: 'redis', nats: 'nats', mqtt: 'mqtt' } as const

/** Numbers from 0 to below 1 that are the same in each run. */
function seeded(seed: number): () => number {
  const random = createSeededRandom(seed)
  return () => new DataView(random.fill(new Uint8Array(4)).buffer).getUint32(0) / 2 ** 32
}

for (const clients of ['processes', 'here'] as const)
  describe(`a broker whose answers are damaged, with clients in ${clients}`, () => {
    for (const [name, scheme] of Object.entries(endpoints) as ['redis', string][])
      it(`of ${name} fails its own requests, and an honest one answers all the while`, limit, async () => {
        const random = seeded(runSeed)
        const honest = await listening(peers[name])
        const evil = await listening(() => damagedTalk(peers[name](), 1 + Math.floor(random() * 5), random))
        const sent = transport({ clients, streams: { connectTimeMs: 400 }, redis: { connectTimeMs: 400 } })
        for (let round = 0; round < rounds; round += 1) {
          const bad = await sent.send(requestTo(`${scheme}://127.0.0.1:${evil.port}`, { round }), options('A', 600))
          expect(['network', 'reply', 'unsendable']).toContain(bad.kind)
          const good = await sent.send(requestTo(`${scheme}://127.0.0.1:${honest.port}`), options('B', 10_000))
          expect(good).toMatchObject({ kind: 'reply', status: 200 })
        }
      })

    it('of Kafka fails its own requests, and an honest one answers all the while', limit, async () => {
      const random = seeded(runSeed)
      const honest = await startKafkaBroker(() => false)
      cleanups.push(() => honest.close())
      const evil = await listening(() => damagedTalk(kafkaTalk, 1 + Math.floor(random() * 3), random))
      const sent = transport({ clients, streams: { connectTimeMs: 400 } })
      for (let round = 0; round < rounds; round += 1) {
        const bad = await sent.send(requestTo(`kafka://127.0.0.1:${evil.port}`, { round }, {}), options('A', 600))
        expect(['network', 'reply', 'unsendable']).toContain(bad.kind)
        const good = await sent.send(requestTo(`kafka://127.0.0.1:${honest.port}`, {}, {}), options('B', 10_000))
        expect(good).toMatchObject({ kind: 'reply', status: 200 })
      }
    })
  })

/** Answers with the id of the request, the versions of some calls, and nothing that is true. */
const kafkaTalk: Talk = (bytes) => {
  if (bytes === undefined || bytes.length < 12) return undefined
  const body = Buffer.concat([bytes.subarray(8, 12), Buffer.from([0, 0, 0, 0, 0, 1, 0, 3, 0, 1, 0, 1, 0, 0, 0, 0])])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([length, body])
}

describe('a database server whose answers are damaged', () => {
  const socket = createGuardedSockets(['localhost'])
  const server = { host: '127.0.0.1', database: 'd', user: 'u', password: 'p', namespace: 'n', ssl: false } as const
  const opened = {
    postgres: (port: number) => createPostgresWarehouse({ ...server, port }, { socket, connectMs: 500 }),
    redshift: (port: number) => createRedshiftWarehouse({ ...server, port }, { socket, connectMs: 500 }),
    mysql: (port: number) => createMysqlWarehouse({ ...server, port }, { socket, connectMs: 500 }),
  }
  for (const [name, open] of Object.entries(opened))
    it(`of ${name} fails its own load`, limit, async () => {
      const random = seeded(runSeed)
      const talk = name === 'mysql' ? peers.mysql : peers.postgres
      const evil = await listening(() => damagedTalk(talk(), 1 + Math.floor(random() * 4), random))
      for (let round = 0; round < rounds; round += 1) {
        const session = await open(evil.port)
          .connect(AbortSignal.timeout(1_000))
          .catch(() => undefined)
        await Promise.race([session?.schema().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 40))])
        await session?.close()
      }
    })

  it('of MySQL that falls silent after the handshake is given up', async () => {
    let said = 0
    const talk = peers.mysql()
    const silent = await listening(() => (bytes) => {
      said += 1
      return said <= 2 ? talk(bytes) : undefined
    })
    await expect(opened.mysql(silent.port).connect(new AbortController().signal)).rejects.toThrow('did not answer')
    await eventually(() => silent.open.size).toBe(0)
  })

  it('of PostgreSQL never gets the password of the environment, when the one of the settings is empty', async () => {
    const before = process.env['PGPASSWORD']
    cleanups.push(() => {
      if (before === undefined) delete process.env['PGPASSWORD']
      else process.env['PGPASSWORD'] = before
    })
    process.env['PGPASSWORD'] = 'operator-only'
    let got = ''
    const asking = await listening(() => (bytes) => {
      got += bytes?.toString('latin1') ?? ''
      if (bytes === undefined) return undefined
      return bytes[0] === 0 ? pg('R', Buffer.from([0, 0, 0, 3])) : pg('E', Buffer.from('SERROR\0C28P01\0Mno\0\0'))
    })
    const warehouse = createPostgresWarehouse(
      { ...server, password: '', port: asking.port },
      { socket, connectMs: 1_000 },
    )
    await expect(warehouse.connect(AbortSignal.timeout(2_000))).rejects.toThrow()
    expect(got).toContain('p\0')
    expect(got).not.toContain('operator-only')
  })
})

describe('a broker', () => {
  it('that opens a RabbitMQ connection twice, or sends an invalid frame, fails one request', async () => {
    for (const more of [amqp(0, 10, 41, [0]), Buffer.alloc(40, 0x7f)]) {
      const talk = peers.rabbitmq()
      const evil = await listening(() => (bytes) => {
        const said = talk(bytes)
        return said && bytes?.includes(Buffer.from([0, 10, 0, 40])) ? Buffer.concat([said, more]) : said
      })
      for (const clients of ['processes', 'here'] as const) {
        const sent = await transport({ clients }).send(requestTo(`amqp://127.0.0.1:${evil.port}`), options())
        expect(sent).toMatchObject({ kind: 'network' })
      }
    }
  })

  it('that pours bytes into an idle connection is cut', async () => {
    const block = Buffer.alloc(1_024 * 1_024, 'a')
    const evil = await startTcpServer((socket) => {
      speak(socket, peers.redis())
      const pour = (): void => {
        while (socket.writable && socket.write(block));
      }
      socket.on('data', (bytes) => {
        if (!bytes.includes('HSET')) return
        setTimeout(() => {
          socket.write('$1999999999\r\n')
          pour()
        }, 40)
      })
      socket.on('drain', pour)
    })
    cleanups.push(() => evil.close())
    for (const clients of ['processes', 'here'] as const) {
      const sent = await transport({ clients }).send(requestTo(`redis://127.0.0.1:${evil.port}/0`), options())
      expect(sent).toMatchObject({ status: 200 })
      await eventually(() => evil.open.size).toBe(0)
    }
  })

  it('whose NATS connection is corrupted is connected to again', async () => {
    let isCorrupt = true
    const talk = peers.nats()
    const server = await listening(() => (bytes) => {
      if (!isCorrupt || !bytes?.includes('PUB')) return talk(bytes)
      isCorrupt = false
      return Buffer.from('$$ no NATS $$\r\n')
    })
    for (const clients of ['processes', 'here'] as const) {
      isCorrupt = true
      const sent = transport({ clients })
      const request = requestTo(`nats://127.0.0.1:${server.port}`)
      expect(await sent.send(request, options('A', 10_000))).toMatchObject({ kind: 'network', code: 'EPEERBROKEN' })
      expect(await sent.send(request, options('A', 10_000))).toMatchObject({ status: 200 })
    }
  })
})

describe('addresses that a peer or a setting names besides the first', () => {
  // Public for the check, and without an answer.
  const lookup: LookupFunction = (_, __, callback) =>
    callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), '')

  it('are not connected to when they are not allowed: further nodes of a Redis cluster', async () => {
    const inside = await startTcpServer(() => {})
    cleanups.push(() => inside.close())
    for (const clients of ['processes', 'here'] as const)
      for (const node of [
        `127.0.0.1:${inside.port}`,
        `localhost:${inside.port}`,
        `[::ffff:127.0.0.1]:${inside.port}`,
      ]) {
        const params = { clusterMode: true, moreNodes: [node] }
        await transport({ clients, allowAddresses: [], lookup }).send(
          requestTo('redis://public.test:7000/0', params),
          options(),
        )
      }
    expect(inside.accepted()).toBe(0)
  })

  describe('are not connected to when they are not allowed', () => {
    /** A server of the machine at an address that is not allowed, and a transport to one that is. */
    async function scene(clients: 'processes' | 'here') {
      const inside = await startTcpServer(() => {}, '127.0.0.2')
      cleanups.push(() => inside.close())
      return { inside, sent: transport({ clients, allowAddresses: ['127.0.0.1'] }) }
    }

    for (const clients of ['processes', 'here'] as const) {
      it(`servers that NATS announces, with clients in ${clients}`, async () => {
        const { inside, sent } = await scene(clients)
        const info = { ...natsInfo, connect_urls: [`127.0.0.2:${inside.port}`] }
        const server = await startTcpServer((socket) => {
          socket.write(`INFO ${JSON.stringify(info)}\r\n`)
          socket.once('data', () => socket.destroy())
        })
        cleanups.push(() => server.close())
        const request = requestTo(`nats://127.0.0.1:${server.port}`)
        expect(await sent.send(request, options())).toMatchObject({ kind: 'network' })
        expect([server.accepted(), inside.accepted()]).toEqual([1, 0])
      })

      it(`brokers that Kafka announces, with clients in ${clients}`, async () => {
        const { inside, sent } = await scene(clients)
        const broker = await startKafkaBroker(() => false, { announced: { host: '127.0.0.2', port: inside.port } })
        cleanups.push(() => broker.close())
        const request = requestTo(`kafka://127.0.0.1:${broker.port}`, {}, {})
        expect(await sent.send(request, options('A', 15_000))).toMatchObject({
          kind: 'unsendable',
          code: 'EADDRREFUSED',
        })
        expect([broker.accepted() > 0, inside.accepted()]).toEqual([true, 0])
      })

      for (const place of ['its slots', 'the answer that a key has moved'])
        it(`nodes that a Redis cluster announces in ${place}, with clients in ${clients}`, async () => {
          const { inside, sent } = await scene(clients)
          const isMoving = place !== 'its slots'
          let slotsTold = 0
          const server = await startTcpServer((socket) => {
            socket.on('data', (bytes) => {
              const text = bytes.toString('latin1')
              // The second list of slots follows the answer that a key has moved.
              const node = isMoving && slotsTold === 0 ? `127.0.0.1:${server.port}` : `127.0.0.2:${inside.port}`
              const [host = '', port = ''] = node.split(':')
              const slots = `*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$${host.length}\r\n${host}\r\n:${port}\r\n$1\r\nx\r\n`
              for (const command of text.split(/^(?=\*\d+\r\n)/m)) {
                if (/HSET/.test(command)) socket.write(`-MOVED 7000 127.0.0.2:${inside.port}\r\n`)
                else if (/SLOTS/i.test(command)) socket.write(slots)
                else if (command !== '') socket.write('+OK\r\n')
                if (/SLOTS/i.test(command)) slotsTold += 1
              }
            })
          })
          cleanups.push(() => server.close())
          const request = requestTo(`redis://127.0.0.1:${server.port}/0`, { clusterMode: true })
          expect(await sent.send(request, options('A', 15_000))).not.toMatchObject({ status: 200 })
          expect([slotsTold > (isMoving ? 1 : 0), inside.accepted()]).toEqual([true, 0])
        })
    }
  })
})

describe('connections of a workspace', () => {
  for (const clients of ['processes', 'here'] as const)
    it(`to servers that never answer leave some to another, with clients in ${clients}`, async () => {
      const hole = await startTcpServer(() => {})
      cleanups.push(() => hole.close())
      const honest = await listening(peers.nats)
      const sent = transport({ clients })
      const waiting = Array.from({ length: 64 }, (_, x) =>
        sent.send(requestTo(`nats://127.0.0.1:${hole.port}`, { x }), options('A', 4_000)),
      )
      await eventually(() => hole.open.size).toBeGreaterThan(60)
      expect(await sent.send(requestTo(`nats://127.0.0.1:${honest.port}`), options('B'))).toMatchObject({ status: 200 })
      await Promise.all(waiting)
    })
})

describe('the process of a client', () => {
  it('asks before a request leaves, and sends nothing when the answer is no', async () => {
    const honest = await listening(peers.redis)
    const sent = transport()
    const request = requestTo(`redis://127.0.0.1:${honest.port}/0`)
    const held = await sent.send(request, { ...options(), mayLeave: () => false })
    expect(held).toMatchObject({ kind: 'network', code: 'EHELDBACK' })
    expect(await sent.send(request, { ...options(), mayLeave: () => true })).toMatchObject({ status: 200 })
  })
})

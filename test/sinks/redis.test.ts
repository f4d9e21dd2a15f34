import { rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { createSeededRandom, systemClock } from '@sluice/core'
import { createApiEraser, createApiSearcher, createTransport } from '@sluice/delivery'
import { batchEvents, isKnown, mapEvent, parseSettings, redis } from '@sluice/destinations'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { noRedisServer, type RedisServer, startRedisServer } from '../support/brokers/redis-server.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/http/free-port.ts'

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const live = (timeMs = 3_000) => ({ signal: new AbortController().signal, timeMs })

function transport(redisOptions?: { connectTimeMs?: number; connectionsMax?: number }) {
  const created = createTransport({
    clock: systemClock,
    allowAddresses: ['localhost'],
    redis: redisOptions,
  })
  cleanups.push(() => created.close())
  return created
}

/** The one request that an identify call of each user becomes. */
function requestFor(address: string, userIds: readonly string[], settings = {}, traits: object = { name: 'Ann' }) {
  const parsed = parseSettings(redis, { address, ...settings })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const inputs = userIds.map((userId) => {
    return { event: { type: 'identify', userId, traits: { ...traits } }, userKey: userId, context: { now: 0 } }
  })
  const { batches } = batchEvents(redis, inputs, parsed.settings)
  const [request, ...others] = batches.flatMap(({ requests }) => requests)
  if (!request || others.length > 0) throw new Error('expected one request')
  return request
}

async function server(options: readonly string[] = [], port?: number) {
  const started = await startRedisServer(options, port)
  cleanups.push(() => started.close())
  return started
}

async function hashOf(address: string, key: string, password?: string) {
  const client = createClient({ url: `redis://${address}`, password: password || undefined })
  await client.connect()
  try {
    return { ...(await client.hGetAll(key)) }
  } finally {
    client.destroy()
  }
}

describe.skipIf(noRedisServer)(`Redis sink${noRedisServer ? ` (skipped: ${noRedisServer})` : ''}`, () => {
  let shared: RedisServer
  beforeAll(async () => {
    shared = await startRedisServer()
  })
  afterAll(() => shared.close())

  it('sets the fields of each user and keeps all other fields', async () => {
    const sink = transport()
    const users = ['one', 'two']
    expect(await sink.send(requestFor(shared.address, users, {}, { name: 'Ann', plan: 'a' }), live())).toMatchObject({
      status: 200,
    })
    await sink.send(requestFor(shared.address, ['one'], {}, { plan: 'b', address: { city: 'Ulm' } }), live())
    expect(await hashOf(shared.address, 'user:one')).toEqual({ name: 'Ann', plan: 'b', 'address.city': 'Ulm' })
    expect(await hashOf(shared.address, 'user:two')).toEqual({ name: 'Ann', plan: 'a' })
  })

  it('holds back what may no longer leave once it is connected, and cuts off no other request', async () => {
    const sink = transport()
    let isAllowed = true
    const others = sink.send(requestFor(shared.address, ['other']), live())
    const held = sink.send(requestFor(shared.address, ['gone']), { ...live(), mayLeave: () => isAllowed })
    isAllowed = false
    expect(await held).toMatchObject({ kind: 'network', code: 'EHELDBACK' })
    expect(await others).toMatchObject({ status: 200 })
    expect(await hashOf(shared.address, 'user:gone')).toEqual({})
  })

  it('applies the entries of a batch for one user in order', async () => {
    const parsed = parseSettings(redis, { address: shared.address })
    if (!parsed.ok) throw new Error('unexpected')
    const inputs = Array.from({ length: 200 }, (_, n) => ({
      event: { type: 'identify', userId: `order-${n % 3}`, traits: { n } },
      userKey: `order-${n % 3}`,
      context: { now: 0 },
    }))
    const requests = batchEvents(redis, inputs, parsed.settings).batches.flatMap((batch) => batch.requests)
    expect(requests).toHaveLength(1)
    for (const request of requests) await transport().send(request, live())
    expect(await hashOf(shared.address, 'user:order-1')).toEqual({ n: '199' })
  })

  it('uses the configured database and prefix', async () => {
    await transport().send(requestFor(shared.address, ['p'], { database: '3', prefix: 'shop' }), live())
    expect(await hashOf(`${shared.address}/3`, 'shop:user:p')).toEqual({ name: 'Ann' })
    expect(await hashOf(shared.address, 'shop:user:p')).toEqual({})
  })

  it('finds the key of a user as it was written, and none once it is deleted', async () => {
    for (const settings of [{}, { prefix: 'shop', database: '4' }]) {
      const sink = transport()
      await sink.send(requestFor(shared.address, ['kim', 'kimberly'], settings), live())
      const parsed = parseSettings(redis, { address: shared.address, ...settings })
      const { deletion } = redis
      if (!parsed.ok || deletion?.search === undefined) throw new Error('Redis cannot be searched')
      const parts = { settings: parsed.settings, transport: sink, clock: systemClock, random: createSeededRandom(1) }
      const search = createApiSearcher({ ...parts, definition: redis, rule: deletion.search })
      const eraser = createApiEraser({ ...parts, definition: { ...redis, deletion } })
      const { signal } = live()
      const user = { userId: ' kim\u200b' }
      expect(await search(user, signal)).toEqual({ ok: true, count: 1 })
      expect(await eraser.erase([user], signal)).toEqual([{ status: 'complete' }])
      expect(await search(user, signal)).toEqual({ ok: true, count: 0 })
      expect(await search({ userId: 'kimberly' }, signal)).toEqual({ ok: true, count: 1 })
    }
  })

  it('stores text unchanged, whatever it contains', async () => {
    const traits = { 'a b\r\n$3\r\nfoo': 'ü\r\n*1\r\n$8\r\nFLUSHALL\r\n', empty: '', nul: '\0' }
    await transport().send(requestFor(shared.address, ['x y'], {}, traits), live())
    expect(await hashOf(shared.address, 'user:x y')).toEqual(traits)
  })

  it('reports a key of another type, or a missing JSON module, as a permanent failure', async () => {
    const client = createClient({ url: `redis://${shared.address}` })
    await client.connect()
    await client.set('user:text', 'taken')
    client.destroy()
    const sink = transport()
    expect(await sink.send(requestFor(shared.address, ['text', 'fine']), live())).toMatchObject({
      status: 400,
      body: expect.stringContaining('WRONGTYPE'),
    })
    expect(await hashOf(shared.address, 'user:fine')).toEqual({ name: 'Ann' })
    expect(await sink.send(requestFor(shared.address, ['json'], { useJSONModule: true }), live())).toMatchObject({
      status: 400,
      body: expect.stringContaining('JSON.MERGE'),
    })
  })

  it('retries later when the server says that it is full', async () => {
    const full = await server(['--maxmemory', '1mb', '--maxmemory-policy', 'noeviction'])
    const reply = await transport().send(requestFor(full.address, ['u'], {}, { long: 'x'.repeat(900_000) }), live())
    const next = await transport().send(requestFor(full.address, ['v']), live())
    expect([reply, next]).toContainEqual(expect.objectContaining({ status: 503 }))
  })

  it('fails permanently for a wrong password and for an unknown database, and shows no password', async () => {
    const guarded = await server(['--requirepass', 'r1ght-word'])
    const sink = transport()
    const sent = [
      await sink.send(requestFor(guarded.address, ['u'], { password: 'wr0ng-word' }), live()),
      await sink.send(requestFor(guarded.address, ['u']), live()),
      await sink.send(requestFor(guarded.address, ['u'], { password: 'r1ght-word', database: 99 }), live()),
      await sink.send(requestFor(guarded.address, ['u'], { password: 'r1ght-word' }), live()),
    ]
    expect(sent.map((result) => (result.kind === 'reply' ? result.status : result.code))).toEqual([401, 401, 400, 200])
    expect(JSON.stringify(sent)).not.toContain('-word')
    expect(await hashOf(guarded.address, 'user:u', 'r1ght-word')).toEqual({ name: 'Ann' })
  })

  it('reports that a server is away, and finds it when it is back', async () => {
    const port = await freePort()
    const sink = transport()
    const request = requestFor(`127.0.0.1:${port}`, ['u'])
    expect(await sink.send(request, live())).toMatchObject({ kind: 'network', code: 'ECONNREFUSED' })
    const first = await server([], port)
    expect(await sink.send(request, live())).toMatchObject({ status: 200 })
    await first.close()
    expect(await sink.send(request, live())).toMatchObject({ kind: 'network' })
    const second = await server([], port)
    expect(await sink.send(request, live())).toMatchObject({ status: 200 })
    expect(await hashOf(second.address, 'user:u')).toEqual({ name: 'Ann' })
  })

  for (const host of ['127.0.0.1', 'localhost', '2130706433']) {
    it(`does not connect to ${host}, which is not public, unless that is allowed`, async () => {
      const closed = createTransport({ clock: systemClock })
      cleanups.push(() => closed.close())
      for (const settings of [{}, { clusterMode: true }]) {
        const request = requestFor(shared.address.replace('127.0.0.1', host), ['u'], settings)
        const result = await closed.send(request, live())
        expect(result).not.toMatchObject({ kind: 'reply' })
        if (!('clusterMode' in settings)) expect(result).toMatchObject({ kind: 'unsendable', code: 'EADDRREFUSED' })
      }
    })
  }

  it('waits for a silent server no longer than its timeout, and uses a new connection next', async () => {
    const mute = await startProxy(shared)
    const sink = transport()
    const request = requestFor(mute.address, ['late'])
    expect(await sink.send(request, live(150))).toMatchObject({ kind: 'network', code: 'ETIMEDOUT' })
    mute.speaks = true
    expect(await sink.send(request, live())).toMatchObject({ status: 200 })
    mute.speaks = false
    expect(await sink.send(request, live(150))).toMatchObject({ kind: 'network', code: 'ETIMEDOUT' })
    mute.speaks = true
    expect(await sink.send(request, live())).toMatchObject({ status: 200 })
    expect(mute.connections).toBe(3)
  })

  it('rejects at once when it is aborted', async () => {
    const mute = await startProxy(shared)
    const stop = new AbortController()
    const sent = transport().send(requestFor(mute.address, ['u']), { signal: stop.signal, timeMs: 10_000 })
    stop.abort(new Error('stopping'))
    await expect(sent).rejects.toThrow('stopping')
  })

  it('reuses one connection for many requests, and opens no more than the limit', async () => {
    const proxy = await startProxy(shared)
    proxy.speaks = true
    const sink = transport({ connectionsMax: 2 })
    await Promise.all(Array.from({ length: 20 }, (_, n) => sink.send(requestFor(proxy.address, [`many-${n}`]), live())))
    expect(proxy.connections).toBe(1)
    for (const database of [1, 2, 3, 4]) {
      expect(await sink.send(requestFor(proxy.address, ['u'], { database }), live())).toMatchObject({ status: 200 })
    }
    await eventually(() => proxy.open).toBe(2)
    proxy.speaks = false
    const busy = [1, 2, 3].map((database) => sink.send(requestFor(proxy.address, ['u'], { database }), live(1_500)))
    expect(await Promise.all(busy)).toContainEqual(expect.objectContaining({ code: 'ECONNECTIONSMAX' }))
  })

  it('writes to a cluster, each user to the node that is responsible', async () => {
    const file = join(tmpdir(), `sluice-nodes-${process.pid}.conf`)
    cleanups.push(() => rmSync(file, { force: true }))
    const node = await server(['--cluster-enabled', 'yes', '--cluster-config-file', file])
    const client = createClient({ url: `redis://${node.address}` })
    await client.connect()
    await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383'])
    await eventually(() => client.sendCommand(['CLUSTER', 'INFO'])).toContain('cluster_state:ok')
    client.destroy()
    const sink = transport()
    const request = requestFor(node.address, ['a', 'b', 'c', 'b'], { clusterMode: true })
    expect(await sink.send(request, live())).toMatchObject({ status: 200 })
    expect(await hashOf(node.address, 'user:b')).toEqual({ name: 'Ann' })
  })
})

describe('a request of the Redis destination', () => {
  it('shows no password outside the header that is always masked', () => {
    const parsed = parseSettings(redis, { address: 'a.test', password: 'p4ss-word' })
    if (!parsed.ok) throw new Error('unexpected')
    const event = { type: 'identify', userId: 'u', traits: { name: 'Ann' } }
    const requests = mapEvent(redis, event, parsed.settings, { now: 0 })
    if (!isKnown(requests)) throw new Error('unexpected')
    for (const { headers: _headers, ...rest } of requests) expect(JSON.stringify(rest)).not.toContain('p4ss-word')
  })
})

interface Proxy {
  readonly address: string
  /** How many connections were opened in total, and how many are open. */
  connections: number
  open: number
  /** Whether replies pass. */
  speaks: boolean
}

/** A proxy in front of a server that can hold back its replies. */
async function startProxy({ address }: RedisServer): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const listener: Server = createServer((socket) => {
    proxy.connections += 1
    proxy.open += 1
    const upstream = connect(Number(address.split(':')[1]), '127.0.0.1')
    sockets.add(socket).add(upstream)
    socket.on('data', (data) => upstream.write(data))
    upstream.on('data', (data) => proxy.speaks && socket.write(data))
    for (const each of [socket, upstream]) each.on('error', () => {})
    socket.on('close', () => {
      proxy.open -= 1
      upstream.destroy()
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const bound = listener.address()
  const proxy: Proxy = {
    address: `127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`,
    connections: 0,
    open: 0,
    speaks: false,
  }
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => listener.close(resolve))
  })
  return proxy
}

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, request as forward, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { afterAll, describe, expect, it } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { noRedisServer, startRedisServer } from '../support/redis-server.ts'
import { accessKey, startS3Server } from '../support/s3-server.ts'

/** One regulation each: its users are deleted at the destination of that name, and in Sluice itself. */
const kinds = ['api', 'redis', 's3', 'file', 'own'] as const
type Kind = (typeof kinds)[number]
const usersPerKind = 6

/**
 * Fills everything with events, once; then asks for the deletion of a kind, or for none, and ends when all is done. The
 * third time a user is forgotten in the log, `own` waits to be killed.
 */
const child = `
const [, folder, kind, settings] = process.argv
const { systemClock: clock, systemRandom: random } = await import('@sluice/core')
const { openSqliteStore } = await import('@sluice/storage')
const { defineDestination, json } = await import('@sluice/destinations')
const { createSluice } = await import('sluice')
const { Type } = await import('typebox')
const { api, refusing, redis, s3 } = JSON.parse(settings)
const ledger = defineDestination({
  type: 'LEDGER', displayName: 'Ledger', supports: ['track'], secrets: [], examples: [],
  settings: Type.Object({ url: Type.String() }),
  requests: (event, { url }) => json({ method: 'POST', endpoint: url + '/in', body: event }),
  deletion: {
    usersMax: 2,
    requests: (users, { url }) =>
      [json({ method: 'POST', endpoint: url + '/delete', body: { ids: users.map(({ userId }) => userId) } })],
  },
})
const destinations = [
  { id: 'api', type: 'LEDGER', settings: { url: api } },
  { id: 'redis', type: 'REDIS', settings: { address: redis } },
  { id: 's3', type: 'S3', settings: { bucketName: 'events', ...s3 } },
  { id: 'file', type: 'FILE', settings: { folder: folder + '/files' } },
  { id: 'refused', type: 'WEBHOOK', settings: { webhookUrl: refusing + '/refused' } },
  { id: 'busy', type: 'WEBHOOK', settings: { webhookUrl: refusing + '/busy' } },
  { id: 'own', type: 'CONSOLE', settings: {} },
]
const sources = ['a', 'b', 'c', 'd'].map((id) => ({ id, writeKey: id }))
const connections = sources.flatMap(({ id: source }) =>
  destinations.filter(({ id }) => id !== 'own' && id !== 'busy').map(({ id: destination }) => ({ source, destination })))
sources.push({ id: 'late', writeKey: 'late' })
connections.push({ source: 'late', destination: 'busy' })
const opened = await openSqliteStore({ path: folder + '/store/sluice.db', clock, random })
let forgotten = 0
const log = {
  ...opened.log,
  forgetUser: async (workspaceId, userId) => {
    const count = await opened.log.forgetUser(workspaceId, userId)
    forgotten += 1
    if (kind !== 'own' || forgotten < 3) return count
    console.log('forgot')
    return new Promise(() => {})
  },
}
const store = { ...opened, log }
const sluice = await createSluice({
  workspace: { id: 'w', sources, destinations, connections }, destinations: [ledger], store, clock, random,
  allowAddresses: ['localhost'], onError: (error) => console.error(error),
})
const until = async (isSo) => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}
const users = [...${JSON.stringify(kinds)}, 'stays'].flatMap((name) => Array.from({ length: ${usersPerKind} }, (_, n) => name + '-' + n))
if ((await store.log.end('w')) === 0) {
  for (const { id } of sources)
    await sluice.ingest(id, users.flatMap((userId) => [
      { type: 'identify', userId, traits: { canary: 'canary-' + userId } },
      { type: 'track', event: 'E', userId, properties: { canary: 'canary-' + userId } },
    ]))
  // Few, because each is tried for some seconds.
  await sluice.ingest('late', users.filter((userId) => userId.endsWith('-0')).map((userId) =>
    ({ type: 'track', event: 'E', userId, properties: { canary: 'canary-' + userId } })))
  await until(async () => {
    const stats = (await sluice.stats('w')).flatMap(({ destinations }) => destinations)
    const waiting = await store.retries.entries('w', 'busy')
    return waiting.length === 6 && stats.every(({ destinationId, pending }) => destinationId === 'busy' || pending === 0)
  })
}
if (kind !== 'none')
  await sluice.regulations.create('w', {
    regulationType: 'suppress_with_delete',
    destinationIds: [kind],
    users: users.filter((userId) => userId.startsWith(kind + '-')).map((userId) => ({ userId })),
  })
const { regulations } = await sluice.regulations.list('w', { limit: 1000 })
const all = async () => (await Promise.all(regulations.map(({ id }) => sluice.deletions.ofRegulation('w', id)))).flat()
await until(async () => (await all()).every(({ status }) => status === 'complete' || status === 'aborted'))
console.log(JSON.stringify((await all()).map(({ destinationId, attributes, status, reason }) => ({ destinationId, user: attributes.userId, status, reason }))))
await sluice.stop()
`

interface Job {
  readonly destinationId: string
  readonly user: string
  readonly status: string
  readonly reason?: string
}

const cleanups: (() => unknown)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const addressOf = (server: { address(): AddressInfo | string | null }) =>
  `127.0.0.1:${(server.address() as AddressInfo).port}`

/** The servers of a run, and a hook where each kind of deletion is in its middle. */
async function startWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-deletion-kill-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  for (const name of ['files', 'store']) mkdirSync(join(folder, name))
  let inTheMiddle: (kind: Kind) => boolean = () => false

  const deletions: string[][] = []
  const api = await startReceiver(({ path, body }) => {
    if (path !== '/delete') return 200
    deletions.push(JSON.parse(body).ids)
    return deletions.length === 2 && inTheMiddle('api') ? new Promise(() => {}) : 200
  })
  const refusing = await startReceiver(({ path }) => (path === '/refused' ? 400 : 503))
  cleanups.push(api.close, refusing.close)

  const redis = await startRedisServer()
  const redisGate = createServer((socket) => {
    const upstream = connect(Number(redis.address.split(':')[1]), '127.0.0.1')
    socket.on('data', (data) => {
      if (!(data.includes('\r\nDEL\r\n') && inTheMiddle('redis'))) upstream.write(data)
    })
    upstream.on('data', (data) => socket.write(data))
    for (const each of [socket, upstream]) each.on('error', () => {}).on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => redisGate.listen(0, '127.0.0.1', resolve))
  cleanups.push(redis.close, () => redisGate.close())

  const s3 = await startS3Server(['events'])
  let puts = 0
  // As S3 does, and the server behind does not: an object is there when all of it has come.
  const s3Gate = createHttpServer(async (incoming, outgoing) => {
    const isDeleting = incoming.method === 'PUT' && jobsBegan
    if (isDeleting) puts += 1
    if (isDeleting && puts === 2 && inTheMiddle('s3')) return
    const body = await wholeBody(incoming).catch(() => undefined)
    if (body === undefined) return
    const { hostname, port } = new URL(s3.origin)
    const { method, url: path, headers } = incoming
    forward({ hostname, port, method, path, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(outgoing)
    }).end(body)
  })
  await new Promise<void>((resolve) => s3Gate.listen(0, '127.0.0.1', resolve))
  cleanups.push(s3.close, () => s3Gate.close().closeAllConnections())

  // Large enough to be met in its middle.
  const line = (n: number) => {
    const userId = `${n % 2 ? 'file' : 'stays'}-${n % usersPerKind}`
    return `${JSON.stringify({ userId, canary: `canary-${userId}` })}\n`
  }
  const old = join(folder, 'files', 'events-2020-01-01T000000000Z.ndjson')
  writeFileSync(old, Array.from({ length: 100_000 }, (_, n) => line(n)).join(''))
  const watcher = watch(join(folder, 'files'), (_, name) => {
    if (name?.endsWith('.new')) inTheMiddle('file')
  })
  cleanups.push(() => watcher.close())

  let jobsBegan = false
  /** Runs the child; one that is to be killed is killed in the middle of its deletion. @returns what it printed. */
  function run(kind: Kind | 'none'): Promise<{ readonly wasKilled: boolean; readonly output: string }> {
    jobsBegan = kind === 's3'
    const settings = {
      api: api.url,
      refusing: refusing.url,
      redis: addressOf(redisGate),
      s3: { endPoint: `http://${addressOf(s3Gate)}`, ...accessKey },
    }
    const args = ['--input-type=module', '-e', child, folder, kind, JSON.stringify(settings)]
    const running = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'pipe'] })
    inTheMiddle = (met) => met === kind && running.kill('SIGKILL')
    let output = ''
    let errors = ''
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('forgot')) inTheMiddle('own')
    })
    return new Promise((resolve, reject) =>
      running.on('close', (_, signal) => {
        inTheMiddle = () => false
        if (errors === '') resolve({ wasKilled: signal === 'SIGKILL', output })
        else reject(new Error(errors))
      }),
    )
  }

  async function inRedis(): Promise<string> {
    const client = createClient({ url: `redis://${redis.address}` })
    await client.connect()
    const hashes = await Promise.all((await client.keys('*')).map((key) => client.hGetAll(key)))
    client.destroy()
    return JSON.stringify(hashes)
  }

  const textsIn = (name: string) =>
    readdirSync(join(folder, name)).map((entry) => readFileSync(join(folder, name, entry), 'latin1'))
  return { run, deletions, inRedis, textsIn, objects: () => Object.values(s3.objects('events')) }
}

async function wholeBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe.skipIf(noRedisServer)(
  `killing a process that deletes${noRedisServer ? ` (skipped: ${noRedisServer})` : ''}`,
  () => {
    it('leaves nothing half done: what was begun ends, what was done is not repeated, and nothing of the users is found', async () => {
      const world = await startWorld()
      for (const kind of kinds) {
        expect([kind, (await world.run(kind)).wasKilled]).toEqual([kind, true])
        // Reads each object whole: one that is torn is no gzip.
        expect(world.objects().length).toBeGreaterThan(1)
      }
      const { output } = await world.run('none')
      const jobs = JSON.parse(output) as readonly Job[]
      expect(jobs).toHaveLength(kinds.length * usersPerKind * 2)
      expect(jobs.filter(({ status, destinationId }) => status !== 'complete' && destinationId !== 'own')).toEqual([])
      expect(world.deletions).toEqual([
        ['api-0', 'api-1'],
        ['api-2', 'api-3'],
        ['api-2', 'api-3'],
        ['api-4', 'api-5'],
      ])

      const store = world.textsIn('store').join()
      const places = {
        redis: await world.inRedis(),
        s3: JSON.stringify(world.objects()),
        file: world.textsIn('files').join(),
      }
      for (const [kind, text] of Object.entries(places)) {
        expect(text).toContain('canary-stays')
        expect([kind, text.includes(`canary-${kind}`)]).toEqual([kind, false])
      }
      expect(store).toContain('canary-stays')
      expect(store).not.toMatch(/canary-(?:api|redis|s3|file|own)/)
      expect(world.textsIn('files')).toHaveLength(2)
    }, 60_000)
  },
)

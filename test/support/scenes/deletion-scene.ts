import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createClient } from '@redis/client'
import { noRedisServer, startRedisServer } from '../brokers/redis-server.ts'
import { accessKey, type S3Server, startS3Server } from '../brokers/s3-server.ts'
import { type FaultyServer, startFaultyServer, type Treatment, treatments } from '../faults/faulty-server.ts'
import { startHttpGate, startTcpGate } from '../faults/gates.ts'
import { deletionProgram } from '../processes/deletion-program.ts'
import { type Killable, startKillable } from '../processes/killable.ts'
import { startReceiver } from '../receiver.ts'

/** Two Amplitude batches; the second is not full. */
export const goneUsers = Array.from({ length: 102 }, (_, n) => `gone-${n}`)
/** Users with data: at both ends of the deletion order, and one in the second batch. */
const goneWithData = ['gone-0', 'gone-50', 'gone-101']
export const staying = ['stays-0', 'stays-1', 'stays-2']
const allUsers = [...goneWithData, ...staying]

/** As many objects as are processed between two marks, and some more. */
export const objectCount = 70
/** Each of these objects has lines of users to be deleted; one of them comes before the first mark. */
const objectsWithGone = [3, 65, 66, 67]
/** Enough that rewriting the file takes a while. */
const bigFileLines = 20_000

export interface DeletionScene {
  /** Content of events of users to be deleted, and of nothing else: a regulation has to keep the userId. */
  readonly canary: string
  readonly folder: string
  readonly hook: FaultyServer
  /** Deletion requests that Amplitude received. */
  readonly asked: readonly { readonly users: readonly string[]; readonly isAnswered: boolean }[]
  /** Requests that S3 received, as `method path`. */
  readonly s3Calls: readonly string[]
  /** The expected final content of the big file. */
  readonly bigFile: { readonly name: string; readonly wanted: string }
  readonly filesFolder: string
  /** Ingests the events and regulates the users. */
  begin(killOnForgotten?: string): Promise<Killable>
  /** Continues after a process was killed. */
  resume(): Promise<Killable>
  objects(): ReturnType<S3Server['objects']>
  /** Every key with its fields; empty where there is no Redis. */
  redis(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>>
  close(): Promise<void>
}

/** Called when a request of a deletion arrives; the result decides what happens to it. May be changed at any time. */
export interface Passes {
  /** Whether Amplitude responds. */
  api(users: readonly string[]): boolean
  /** Whether an object is put. */
  s3Put(): boolean
  /** Share of the commands that reaches Redis: 0 to 1. */
  redisDelete(): number
}

export const textOf = (canary: string, user: string): string =>
  staying.includes(user) ? `kept-${user}` : `${canary}-${user}`

/**
 * A workspace with a destination of each kind that deletes users, real servers, and users whose data is in all of them.
 */
export async function startDeletionScene(passes: Passes): Promise<DeletionScene> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-deletion-kill-'))
  const cleanups: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true })]
  const started = <Server extends { close(): Promise<unknown> }>(server: Server): Server => {
    cleanups.push(() => server.close())
    return server
  }
  const canary = `canary-${Math.random().toString(36).slice(2)}`
  const echoes: Treatment = (_, response, body) => response.writeHead(400).end(`cannot take ${body}`)
  const treatmentOf = (messageId: string): Treatment => {
    if (messageId.startsWith('bad')) return echoes
    return messageId.startsWith('wait') ? treatments.isBusy : treatments.takes
  }
  const hook = started(await startFaultyServer(treatmentOf))
  const asked: DeletionScene['asked'][number][] = []
  const api = started(
    await startReceiver(({ body }) => {
      const { user_ids: users } = JSON.parse(body) as { readonly user_ids: readonly string[] }
      const isAnswered = passes.api(users)
      asked.push({ users, isAnswered })
      return isAnswered ? 200 : new Promise<number>(() => {})
    }),
  )
  const s3 = started(await startS3Server(['events']))
  const s3Calls: string[] = []
  let isDeleting = false
  const s3Gate = started(
    await startHttpGate(s3.origin, ({ method, path }) => {
      s3Calls.push(`${method} ${path}`)
      return !isDeleting || method !== 'PUT' || passes.s3Put()
    }),
  )
  const redis = noRedisServer ? undefined : started(await startRedisServer())
  const redisGate =
    redis &&
    started(
      await startTcpGate(redis.address, (chunk) => {
        const isDeletion = chunk.includes('\r\nDEL\r\n')
        return isDeletion ? Math.floor(chunk.length * passes.redisDelete()) : chunk.length
      }),
    )

  const line = (user: string, n: number) =>
    JSON.stringify({ type: 'track', userId: user, n, properties: { text: textOf(canary, user) } })
  for (let n = 0; n < objectCount; n += 1) {
    const users = objectsWithGone.includes(n) ? allUsers : staying
    const lines = users.map((user) => `${line(user, n)}\n`).join('')
    s3.put('events', `old/${String(n).padStart(3, '0')}.json.gz`, gzipSync(lines))
  }
  const filesFolder = join(folder, 'files')
  mkdirSync(filesFolder)
  const lines = Array.from({ length: bigFileLines }, (_, n) => {
    const user = allUsers[n % allUsers.length] ?? ''
    return { user, text: `${line(user, n)}\n` }
  })
  const bigFile = {
    name: 'events-2026-01-01T000000000Z.ndjson',
    wanted: lines.flatMap(({ user, text }) => (staying.includes(user) ? text : [])).join(''),
  }
  writeFileSync(join(filesFolder, bigFile.name), lines.map(({ text }) => text).join(''))

  const events = allUsers.flatMap((userId) => {
    const text = textOf(canary, userId)
    const track = { type: 'track', event: 'Order Placed', userId, properties: { text, deep: [{ text }] } }
    return [
      { type: 'identify', userId, messageId: `taken-identify-${userId}`, traits: { text } },
      { ...track, messageId: `taken-${userId}` },
      { ...track, messageId: `bad-${userId}` },
      { ...track, messageId: `wait-${userId}` },
    ]
  })
  const s3Settings = { bucketName: 'events', endPoint: `http://${s3Gate.address}`, ...accessKey }
  const deleting = [
    { id: 'amplitude', type: 'AM', settings: { apiKey: 'key', apiSecret: 'secret' } },
    { id: 'bucket', type: 'S3', settings: s3Settings },
    { id: 'files', type: 'FILE', settings: { folder: filesFolder } },
    ...(redisGate ? [{ id: 'cache', type: 'REDIS', settings: { address: redisGate.address } }] : []),
  ]
  const destinations = [...deleting, { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: hook.url } }]
  const shared = {
    folder,
    api: api.url,
    options: {
      workspace: {
        id: 'w',
        sources: [{ id: 's', writeKey: 'k' }],
        destinations,
        connections: destinations
          .filter(({ id }) => id !== 'amplitude')
          .map(({ id }) => ({ source: 's', destination: id })),
      },
      sandbox: { mode: 'in-process' },
      delivery: { timeMs: 2_000, retry: { attemptsMax: 1, baseMs: 1, capMs: 5 } },
    },
  }
  const run = async (more: object): Promise<Killable> => {
    const running = await startKillable(deletionProgram, [JSON.stringify({ ...shared, ...more })])
    cleanups.push(async () => {
      running.kill()
      await running.ended
    })
    void running.reported('regulated').then(
      () => {
        isDeleting = true
      },
      () => {},
    )
    return running
  }
  return {
    canary,
    folder,
    filesFolder,
    hook,
    asked,
    s3Calls,
    bigFile,
    begin: (killOnForgotten) =>
      run({ events, users: goneUsers, destinationIds: deleting.map(({ id }) => id), killOnForgotten }),
    resume: () => run({}),
    objects: () => s3.objects('events'),
    redis: async () => {
      if (!redis) return {}
      const client = createClient({ url: `redis://${redis.address}` })
      await client.connect()
      const keys = await client.keys('*')
      const entries = await Promise.all(keys.map(async (key) => [key, { ...(await client.hGetAll(key)) }] as const))
      client.destroy()
      return Object.fromEntries(entries)
    },
    close: async () => {
      for (const cleanup of cleanups.toReversed()) await cleanup()
    },
  }
}

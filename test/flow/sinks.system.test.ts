import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { createClient } from '@redis/client'
import { type JsonObject, systemClock, systemRandom } from '@sluice/core'
import { createTransport, type Transport } from '@sluice/delivery'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { noRedisServer, startRedisServer } from '../support/brokers/redis-server.ts'
import { accessKey, startS3Server } from '../support/brokers/s3-server.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/http/free-port.ts'
import { shop } from '../support/scenes/shop.ts'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'

/** A place where events arrive, and which cannot be reached until `open` is called. */
interface Place {
  readonly settings: JsonObject
  /** Creates the transport of one run. */
  readonly transport?: () => Transport
  open(): Promise<void> | void
  /**
   * Values of the trait `n` that arrived for one user, in order; a destination that keeps only the last value returns
   * that one.
   */
  arrived(userId: string): Promise<readonly number[]> | readonly number[]
}

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'sluice-sinks-'))
  cleanups.push(() => rmSync(made, { recursive: true }))
  return made
}

function numbersOf(lines: readonly string[], userId: string): readonly number[] {
  const events = lines.map((line) => JSON.parse(line)).filter((event) => event.userId === userId)
  return [...new Set<number>(events.map(({ traits }) => traits.n))]
}

/** A pipe whose reader does not read. A broken pipe would stay broken for as long as the process lives. */
function consolePlace(): Place {
  let text = ''
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return {
    settings: {},
    transport: () => {
      const stdout = new Writable({
        write: (chunk, _encoding, done) =>
          void opened.then(() => {
            text += chunk
            done()
          }),
      })
      return createTransport({ clock: systemClock, console: { stdout } })
    },
    open,
    arrived: (userId) => numbersOf(text.split('\n').slice(0, -1), userId),
  }
}

function filePlace(): Place {
  const path = join(folder(), 'out')
  writeFileSync(path, 'in the way')
  return {
    settings: { folder: path },
    open: () => rmSync(path),
    arrived: (userId) => {
      const texts = readdirSync(path)
        .toSorted()
        .map((name) => readFileSync(join(path, name), 'utf8'))
      return numbersOf(texts.join('').split('\n').slice(0, -1), userId)
    },
  }
}

async function redisPlace(): Promise<Place> {
  const port = await freePort()
  return {
    settings: { address: `127.0.0.1:${port}` },
    async open() {
      const server = await startRedisServer([], port)
      cleanups.push(() => server.close())
    },
    async arrived(userId) {
      const client = createClient({ url: `redis://127.0.0.1:${port}` })
      await client.connect()
      const last = await client.hGet(`user:${userId}`, 'n')
      client.destroy()
      return [Number(last)]
    },
  }
}

async function s3Place(): Promise<Place> {
  const port = await freePort()
  let objects: () => Readonly<Record<string, readonly string[]>> = () => ({})
  return {
    settings: { bucketName: 'events', ...accessKey, endPoint: `http://127.0.0.1:${port}` },
    async open() {
      const server = await startS3Server(['events'], port)
      objects = () => server.objects('events')
      cleanups.push(() => server.close())
    },
    // Objects of the same second are sorted by their content, so only their content can be compared, not their order.
    arrived: (userId) => numbersOf(Object.values(objects()).flat(), userId).toSorted((a, b) => a - b),
  }
}

const kinds: readonly (readonly [string, () => Place | Promise<Place>, boolean])[] = [
  ['CONSOLE', consolePlace, false],
  ['FILE', filePlace, false],
  ['REDIS', redisPlace, noRedisServer !== undefined],
  ['S3', s3Place, false],
]

describe('events that cannot be delivered at first and wait through a restart arrive in order', () => {
  for (const [type, createPlace, isSkipped] of kinds) {
    it.skipIf(isSkipped)(`at ${type}`, async () => {
      const place = await createPlace()
      const path = join(folder(), 'sluice.db')
      const start = async () =>
        createSluice({
          workspace: uncheckedWorkspace({
            ...shop(''),
            destinations: [{ id: 'hook', type, settings: place.settings }],
          }),
          store: await openSqliteStore({ path, clock: systemClock, random: systemRandom, synchronous: 'normal' }),
          allowAddresses: ['localhost'],
          retries: { backoff: { baseMs: 20, capMs: 20 } },
          transport: place.transport ? place.transport() : undefined,
        })
      const identify = (n: number) => ({ type: 'identify', userId: `u${n % 2}`, traits: { n } })

      const first = await start()
      await first.ingest('web-key', [0, 1, 2, 3].map(identify))
      const pending = async () => (await first.stats())[0]?.destinations[0]?.pending
      await eventually(pending).toBe(4)
      expect(await pending()).toBe(4)
      await first.stop(0)

      const second = await start()
      await second.ingest('web-key', [4, 5].map(identify))
      await eventually(async () => (await second.stats())[0]?.destinations[0]?.pending).toBe(6)
      await place.open()
      await second.settled()
      const [stats] = await second.stats()
      expect(stats?.destinations[0]).toMatchObject({ delivered: 6, dropped: {}, failed: {}, pending: 0 })
      await second.stop()
      const all = await place.arrived('u0')
      expect(all).toEqual(type === 'REDIS' ? [4] : [0, 2, 4])
      expect(await place.arrived('u1')).toEqual(type === 'REDIS' ? [5] : [1, 3, 5])
    })
  }
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { noRedisServer } from '../support/brokers/redis-server.ts'
import { hangMs } from '../support/hang-ms.ts'
import type { Killable } from '../support/processes/killable.ts'
import {
  type DeletionScene,
  goneUsers,
  objectCount,
  type Passes,
  startDeletionScene,
  staying,
  textOf,
} from '../support/scenes/deletion-scene.ts'
import { filesWith } from '../support/texts/files-with.ts'

let scene: DeletionScene | undefined
afterEach(async () => {
  await scene?.close()
  scene = undefined
})

/** Checks that every line of all objects and files can be read: half-written content never becomes visible. */
function expectAllWhole({ objects, filesFolder }: DeletionScene): void {
  const ofObjects = Object.values(objects()).flat()
  const files = readdirSync(filesFolder).filter((name) => name.endsWith('.ndjson'))
  const ofFiles = files.flatMap((name) => {
    const text = readFileSync(join(filesFolder, name), 'utf8')
    expect(text.at(-1)).toBe('\n')
    return text.split('\n').slice(0, -1)
  })
  for (const line of [...ofObjects, ...ofFiles]) JSON.parse(line)
}

/** Returns the places that contain the canary: files, objects, Redis. */
async function canariesIn({ canary, folder, objects, redis }: DeletionScene): Promise<readonly string[]> {
  const inObjects = Object.entries(objects()).flatMap(([key, lines]) => (lines.join().includes(canary) ? [key] : []))
  const inRedis = JSON.stringify(await redis()).includes(canary) ? ['redis'] : []
  return [...filesWith(folder, canary), ...inObjects, ...inRedis]
}

/** Checks that the data of the users who stay is still everywhere. */
async function expectOthersKept(kept: DeletionScene): Promise<void> {
  const { hook, objects, redis, bigFile, filesFolder, folder, canary } = kept
  const texts = staying.map((user) => textOf(canary, user))
  expect(readFileSync(join(filesFolder, bigFile.name), 'utf8').startsWith(bigFile.wanted)).toBe(true)
  const inFiles = readdirSync(filesFolder).map((name) => readFileSync(join(filesFolder, name), 'utf8'))
  const inBucket = Object.values(objects()).flat()
  for (const [index, user] of staying.entries()) {
    const ids = ['taken-identify', 'taken', 'bad', 'wait'].map((kind) => `${kind}-${user}`)
    for (const id of ids)
      for (const text of [inFiles.join(), inBucket.join()]) expect(text).toContain(`"messageId":"${id}"`)
    const ofUser = inBucket.filter((line) => line.includes(`"userId":"${user}"`))
    expect(ofUser).toHaveLength(objectCount + ids.length)
    if (!noRedisServer) expect((await redis())[`user:${user}`]).toEqual({ text: texts[index] })
    expect(hook.taken).toEqual(expect.arrayContaining(ids.slice(0, 2)))
  }
  const store = await openSqliteStore({
    path: join(folder, 'store/sluice.db'),
    clock: systemClock,
    random: systemRandom,
  })
  const userIds = (events: readonly object[]) => events.map((event) => (event as { userId?: string }).userId).sort()
  const letters = await store.deadLetters.list('w', { limit: 100 })
  const waiting = await store.retries.read(
    'w',
    (await store.retries.entries('w', 'hook')).map(({ id }) => id),
  )
  const logged = (await store.log.read('w', 0, 100)).flatMap(({ events }) => events.filter(({ userId }) => userId))
  expect(userIds(letters.map(({ source }) => source.event))).toEqual(staying)
  expect(userIds(waiting.map(({ source }) => source.event))).toEqual(staying)
  expect(userIds(logged)).toEqual(staying.flatMap((user) => [user, user, user, user]))
  await store.close()
}

const withoutRedis = noRedisServer ? ` (skipped for Redis: ${noRedisServer})` : ''

/** Checks that the process was killed as planned, and did not fail by itself. */
async function expectKilled(running: Killable, killed: DeletionScene): Promise<void> {
  expect(await running.ended).toBe('')
  expectAllWhole(killed)
  expect(await canariesIn(killed)).not.toEqual([])
}

describe('a process killed in the middle of deletions', () => {
  it(`completes them all after restarts, repeats none of the finished ones, and leaves no trace of the users${withoutRedis}`, async () => {
    let kill = (): void => {}
    /** Requests that must not pass yet wait until the process is killed. */
    const passes: Passes = { api: () => false, s3Put: () => false, redisDelete: () => 0 }
    const started = await startDeletionScene(passes)
    scene = started
    const resume = async (): Promise<Killable> => {
      const running = await started.resume()
      kill = () => running.kill()
      return running
    }

    // In Sluice's own store: the log has forgotten the first hundred, and nothing else has.
    await expectKilled(await started.begin('gone-0'), started)
    expect(filesWith(join(started.folder, 'store'), textOf(started.canary, 'gone-101'))).not.toEqual([])

    // In files: one is being rewritten.
    const unfinished = join(started.filesFolder, `.${started.bigFile.name}.new`)
    const rewriting = await resume()
    await vi.waitUntil(() => existsSync(unfinished), { interval: 1, timeout: hangMs })
    kill()
    await expectKilled(rewriting, started)
    expect(existsSync(unfinished)).toBe(true)

    // In Redis: half of the commands arrive.
    if (!noRedisServer) {
      passes.redisDelete = () => {
        kill()
        return 0.5
      }
      await expectKilled(await resume(), started)
      expect(Object.keys(await started.redis())).toContain('user:gone-101')
      passes.redisDelete = () => 1
    }

    // In the bucket: the third object is not put.
    let puts = 0
    passes.s3Put = () => {
      puts += 1
      if (puts === 3) kill()
      return puts < 3
    }
    await expectKilled(await resume(), started)
    expect((await canariesIn(started)).filter((key) => key.startsWith('old/'))).not.toEqual([])
    const callsBefore = started.s3Calls.length
    passes.s3Put = () => true

    // At an API: the first request is answered, the second is not.
    passes.api = (users) => {
      if (users.length < 100) kill()
      return users.length === 100
    }
    await expectKilled(await resume(), started)
    passes.api = () => true

    const last = await resume()
    const regulations = (await last.reported('over')) as readonly string[]
    expect(regulations).toHaveLength(goneUsers.length)
    const targets = ['', 'amplitude', 'bucket', ...(noRedisServer ? [] : ['cache']), 'files']
    for (const id of regulations)
      expect(await last.reported(id)).toEqual(targets.map((target) => [target, 'complete', '']))
    expect(await canariesIn(started), 'while it runs').toEqual([])
    last.stop()
    expect(await last.ended).toBe('')
    expect(await canariesIn(started), 'after it has stopped').toEqual([])
    expectAllWhole(started)
    expect(readdirSync(started.filesFolder).filter((name) => !name.endsWith('.ndjson'))).toEqual([])
    await expectOthersKept(started)

    const answered = started.asked.flatMap(({ users, isAnswered }) => (isAnswered ? users : []))
    expect(answered).toEqual(goneUsers)
    expect(started.asked.slice(-3).map(({ users }) => users.length)).toEqual([100, 2, 2])
    const read = started.s3Calls.slice(callsBefore).filter((call) => call.startsWith('GET /events/old/'))
    expect(read.length).toBeGreaterThan(0)
    expect(read.filter((call) => call < 'GET /events/old/064')).toEqual([])
  })
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type DeletionScene,
  filesWith,
  goneUsers,
  type Interventions,
  startDeletionScene,
  staying,
  textOf,
} from '../support/deletion-scene.ts'
import { noRedisServer } from '../support/redis-server.ts'

let scene: DeletionScene | undefined
afterEach(async () => {
  await scene?.close()
  scene = undefined
})

/** Lets a deletion begin, and kills the process at the moment that the interventions say. @returns what went before. */
async function killedIn(interventions: (kill: () => void) => Interventions, killOnForgotten?: string) {
  let kill = (): void => {}
  const started = await startDeletionScene(interventions(() => kill()))
  scene = started
  const running = started.begin(killOnForgotten)
  kill = () => running.kill()
  return { started, running }
}

const userIdsAsked = ({ body }: { readonly body: string }) =>
  (JSON.parse(body) as { readonly user_ids: readonly string[] }).user_ids

/** Every line of all objects and files can be read: what is half written is none of them. */
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

const inFiles = ({ filesFolder }: DeletionScene, isMeant: (name: string) => boolean) =>
  readdirSync(filesFolder)
    .filter(isMeant)
    .map((name) => readFileSync(join(filesFolder, name), 'utf8'))
    .join('')

/** Where the canary stands. */
async function canariesIn({ canary, folder, objects, redis }: DeletionScene): Promise<readonly string[]> {
  const inObjects = Object.entries(objects()).flatMap(([key, lines]) => (lines.join().includes(canary) ? [key] : []))
  const inRedis = JSON.stringify(await redis()).includes(canary) ? ['redis'] : []
  return [...filesWith(folder, canary), ...inObjects, ...inRedis]
}

/** Of the users who stay there is everything everywhere. */
async function expectOthersKept(kept: DeletionScene): Promise<void> {
  const { hook, objects, redis, bigFile, filesFolder, folder, canary } = kept
  const texts = staying.map((user) => textOf(canary, user))
  const [messages, old] = [Object.entries(objects()), readFileSync(join(filesFolder, bigFile.name), 'utf8')]
  expect(old.startsWith(bigFile.wanted)).toBe(true)
  for (const [index, user] of staying.entries()) {
    const ids = ['taken-identify', 'taken', 'bad', 'wait'].map((kind) => `${kind}-${user}`)
    const delivered = messages.flatMap(([key, lines]) => (key.startsWith('rudder-logs/') ? lines : [])).join()
    for (const id of ids)
      expect([inFiles(kept, () => true), delivered].filter((text) => text.includes(id))).toHaveLength(2)
    expect(messages.flatMap(([, lines]) => lines).filter((line) => line.includes(`"userId":"${user}"`)).length).toBe(74)
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

/** Starts the process again, and expects what has to be so whenever it was killed. */
async function expectDone(killed: DeletionScene): Promise<void> {
  expectAllWhole(killed)
  expect(await canariesIn(killed)).not.toEqual([])
  const running = killed.resume()
  const regulations = (await running.told('over')) as readonly string[]
  expect(regulations).toHaveLength(goneUsers.length)
  const targets = ['', 'amplitude', 'bucket', ...(noRedisServer ? [] : ['cache']), 'files']
  for (const id of regulations)
    expect(await running.told(id)).toEqual(targets.map((target) => [target, 'complete', '']))
  expect(await canariesIn(killed), 'while it runs').toEqual([])
  running.stop()
  expect(await running.ended).toBe('')
  expect(await canariesIn(killed), 'after it has stopped').toEqual([])
  expectAllWhole(killed)
  await expectOthersKept(killed)
  expect(readdirSync(killed.filesFolder).filter((name) => !name.endsWith('.ndjson'))).toEqual([])
  expect([...new Set(killed.api.flatMap(userIdsAsked))].sort()).toEqual([...goneUsers].sort())
}

describe('a process killed in the middle of a deletion ends it after a restart, and leaves no trace of the users', () => {
  it('at an API, which is not asked again for what it answered', async () => {
    const { started, running } = await killedIn((kill) => ({
      apiMayAnswer(requests) {
        if (requests === 2) kill()
        return requests !== 2
      },
    }))
    expect(await running.ended).toBe('')
    expect(started.api.map((request) => userIdsAsked(request).length)).toEqual([100, 50])
    await expectDone(started)
    expect(started.api.map((request) => userIdsAsked(request).length)).toEqual([100, 50, 50])
  })

  it.skipIf(noRedisServer)(`in Redis${noRedisServer ? ` (skipped: ${noRedisServer})` : ''}`, async () => {
    let isKilled = false
    const { started, running } = await killedIn((kill) => ({
      redisMayDelete() {
        if (isKilled) return true
        isKilled = true
        kill()
        return false
      },
    }))
    expect(await running.ended).toBe('')
    expect(Object.keys(await started.redis())).toContain('user:gone-140')
    await expectDone(started)
  })

  it('in object storage, where it does not read again what it had done', async () => {
    const { started, running } = await killedIn((kill) => ({
      s3MayPut(puts) {
        if (puts === 3) kill()
        return puts !== 3
      },
    }))
    expect(await running.ended).toBe('')
    const before = started.s3Calls.length
    expect((await canariesIn(started)).filter((key) => key.startsWith('old/'))).not.toEqual([])
    await expectDone(started)
    const again = started.s3Calls.slice(before).filter((call) => call.startsWith('GET /events/old/'))
    expect(again.length).toBeGreaterThan(0)
    expect(again.filter((call) => call < 'GET /events/old/064')).toEqual([])
  })

  it('in files, while one is written anew', async () => {
    const { started, running } = await killedIn(() => ({}))
    await running.told('delivered')
    const unfinished = join(started.filesFolder, `.${started.bigFile.name}.new`)
    while (!existsSync(unfinished)) await new Promise((resolve) => setTimeout(resolve, 1))
    running.kill()
    expect(await running.ended).toBe('')
    expect(existsSync(unfinished)).toBe(true)
    await expectDone(started)
  })

  it('in what Sluice itself keeps', async () => {
    const { started, running } = await killedIn(() => ({}), 'gone-0')
    expect(await running.ended).toBe('')
    expect(filesWith(join(started.folder, 'store'), textOf(started.canary, 'gone-140'))).not.toEqual([])
    await expectDone(started)
  })
})

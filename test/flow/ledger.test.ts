import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { appendFile, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom, type Event, keysOfEvent, systemClock } from '@sluice/core'
import {
  adoptLedger,
  type ChainReport,
  createLedger,
  createRegulations,
  createSuppressionIndex,
  drillRestore,
  type Ledger,
  type RegulatedWorkspace,
  type RegulationStore,
  rekeyLedger,
  requireWholeLedger,
  verifyLedger,
} from '@sluice/regulation'
import { createFolderLedgerPlace, createMemoryStore, openSqliteStore } from '@sluice/storage'
import fc from 'fast-check'
import type { Sluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { sized } from '../support/long.ts'
import { shop } from '../support/scenes/shop.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

const clock = createManualClock()
const workspace = (): RegulatedWorkspace => ({
  sourceIds: new Set(),
  destinations: new Map([['d1', { isStorage: false }]]),
})
const serve = serveWorkspaces({ workspace: shop('https://hook.test/in') })
const track = (userId: string) => ({ type: 'track', event: 'Paid', userId })
const chainOf = async (folder: string): Promise<string> => {
  const [name] = (await readdir(join(folder, 'ledger'))).filter((each) => each.endsWith('.jsonl'))
  return join(folder, 'ledger', name ?? '')
}
const linesOf = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(join(folder, 'ledger'), { recursive: true, withFileTypes: true })
  const files = entries.filter((each) => each.isFile())
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))
}

async function adopt(folder: string, operatorKey?: string): Promise<void> {
  const random = createSeededRandom(99)
  const store = await openSqliteStore({ path: join(folder, 'data', 'sluice.db'), clock, random, thread: 'this' })
  const place = createFolderLedgerPlace(join(folder, 'ledger'), random)
  await adoptLedger(place, store.regulations, { clock, random, operatorKey }).finally(() => store.close())
}

interface StartOptions {
  readonly withLedger?: boolean
  readonly key?: string
  readonly backupsKeptDays?: number
}

/** A store and a ledger in a folder, served again and again. */
function scene() {
  const folder = newFolder()
  const start = async ({ withLedger = true, key, backupsKeptDays = 90 }: StartOptions = {}) => {
    seed += 1
    const random = createSeededRandom(seed)
    const path = join(folder, 'data', 'sluice.db')
    const store = await openSqliteStore({ path, clock: systemClock, random, synchronous: 'normal', thread: 'this' })
    const place = createFolderLedgerPlace(join(folder, 'ledger'), random)
    const ledger = withLedger ? { ledger: { place, backupsKeptDays, key } } : {}
    const { sluice, transport } = await serve({ store, random, clock: systemClock, ...ledger })
    const health = async () => (await sluice.fetch(new Request('http://sluice.test/health'))).json()
    return { sluice, health, sent: () => transport.requests.map(({ body }) => body.JSON['userId']) }
  }
  return { folder, start }
}

const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-ledger-'))
  folders.push(folder)
  return folder
}
afterEach(async () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const jobsOf = async (sluice: Sluice, id = '') =>
  (await sluice.deletions.ofRegulation('shop', id)).map(({ destinationId, status }) => [destinationId, status])
const over = [
  ['', 'complete'],
  ['hook', 'aborted'],
]

let seed = 1
/** As a process begins with a store and a ledger. */
async function begin(store: RegulationStore, folder: string, operatorKey?: string) {
  seed += 1
  const random = createSeededRandom(seed)
  const ledger: Ledger = createLedger({
    place: createFolderLedgerPlace(folder, random),
    store,
    operatorKey,
    clock,
    random,
    onError: (error) => {
      throw error
    },
  })
  const report = await ledger.compare()
  const index = createSuppressionIndex({ store, clock, random, aliases: () => ledger.aliases })
  await index.catchUp()
  const regulations = createRegulations({
    store,
    index,
    ledger,
    clock,
    random,
    workspace,
    aliases: () => ledger.aliases,
  })
  await regulations.deleteAgain(report)
  await ledger.settle()
  const isSuppressed = async (userId: string): Promise<boolean | undefined> =>
    (await index.check([{ workspaceId: 'w', sourceId: 's1', userId }]))[0]
  return { regulations, index, ledger, report, isSuppressed }
}
/** Whether an event would be stopped, by any key of its person. */
const stops = async ({ index }: Awaited<ReturnType<typeof begin>>, event: Event): Promise<boolean> => {
  const questions = keysOfEvent(event).map((userId) => ({ workspaceId: 'w', sourceId: 's1', userId }))
  return (await index.check(questions)).includes(true)
}
const freshStore = (): RegulationStore => createMemoryStore({ clock, random: createSeededRandom(1) }).regulations

describe('the ledger of regulations', () => {
  it('puts back whatever a store lacks: suppressed are the users who would be if nothing had been lost', async () => {
    const users = ['u1', 'u2', ' u3 ', 'ü😀']
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), user: fc.constantFrom(...users) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(20) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), closes: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const folder = newFolder()
        let store = freshStore()
        let process = await begin(store, folder)
        const made: { id: string; user: string; isActive: boolean }[] = []
        for (const each of steps) {
          if (each.do === 'create') {
            const request = { regulationType: 'suppress', users: [{ userId: each.user }] } as const
            const [created] = await process.regulations.create('w', request)
            made.push({ id: created?.id ?? '', user: each.user, isActive: true })
          } else if (each.do === 'cancel') {
            const target = made[each.which % Math.max(1, made.length)]
            if (target) await process.regulations.cancel('w', target.id)
            if (target) target.isActive = false
          } else {
            // A store that lost everything is the oldest backup that there can be.
            if (each.do === 'lose') store = freshStore()
            else if (each.closes) await process.ledger.close()
            process = await begin(store, folder)
          }
          for (const user of users)
            expect(await process.isSuppressed(user)).toBe(made.some((it) => it.user === user && it.isActive))
        }
        // A drill with the oldest backup proves the same, and leaves the ledger as it is.
        const place = createFolderLedgerPlace(folder, createSeededRandom(7))
        const drill = await drillRestore({ place, store: freshStore(), clock, random: createSeededRandom(8) })
        const active = made.filter(({ isActive }) => isActive).length
        expect(drill).toMatchObject({ inBackup: 0, active, putBack: made.length, notInForce: [], deletions: 0 })
      }),
      { numRuns: sized(60, 2_000) },
    )
  })

  it('puts back into a store that was restored from a backup what came later, before anything is served', async () => {
    const { start, folder } = scene()
    const before = await start()
    await before.sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'early' }] })
    await before.sluice.ingest('web-key', [track('late')])
    await eventually(() => before.sent()).toEqual(['late'])
    await before.sluice.stop()
    cpSync(join(folder, 'data'), join(folder, 'backup'), { recursive: true })

    const during = await start()
    await during.sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: ' late ' }] })
    const erased = {
      regulationType: 'suppress_with_delete',
      users: [{ userId: 'gone', email: 'gone@x.test' }],
    } as const
    const [regulation] = await during.sluice.regulations.create('shop', erased)
    await during.sluice.stop()
    rmSync(join(folder, 'data'), { recursive: true })
    cpSync(join(folder, 'backup'), join(folder, 'data'), { recursive: true })

    const after = await start()
    await after.sluice.ingest('web-key', ['early', 'late', 'gone', 'other'].map(track))
    await eventually(() => after.sent()).toEqual(['other'])
    const jobs = await after.sluice.deletions.ofRegulation('shop', regulation?.id ?? '')
    expect(jobs.map(({ status }) => status)).toEqual(['aborted', 'aborted'])
    expect(jobs[0]?.reason).toBe(
      'the store was restored and the ledger has no ids of this user: create the regulation again with the ids, then cancel this one',
    )
    expect(await after.health()).toEqual({ status: 'ok', warnings: ['deletionIdsNeeded'] })
    const [again] = await after.sluice.regulations.create('shop', erased)
    await eventually(() => jobsOf(after.sluice, again?.id ?? '')).toEqual(over)
    await after.sluice.regulations.cancel('shop', regulation?.id ?? '')
    await after.sluice.stop()
    const settled = await start()
    expect(await settled.health()).toEqual({ status: 'ok' })
  })

  describe('with a key for the ids of users to delete', () => {
    const key = 'a-key-of-the-operator-that-cannot-be-guessed'
    const erased = {
      regulationType: 'suppress_with_delete',
      users: [{ userId: 'gone', email: 'gone@x.test' }],
    } as const
    it('deletes again in a store that was restored', async () => {
      const { start, folder } = scene()
      const before = await start({ key })
      const [regulation] = await before.sluice.regulations.create('shop', erased)
      await eventually(() => jobsOf(before.sluice, regulation?.id)).toEqual(over)
      await before.sluice.stop()
      expect((await linesOf(folder)).join()).not.toContain('gone')
      rmSync(join(folder, 'data'), { recursive: true })
      const { sluice, sent } = await start({ key })
      expect((await sluice.regulations.find('shop', regulation?.id ?? ''))?.attributes).toEqual(erased.users[0])
      await eventually(() => jobsOf(sluice, regulation?.id)).toEqual(over)
      await sluice.ingest('web-key', ['gone', 'other'].map(track))
      await eventually(() => sent()).toEqual(['other'])
    })

    it('does not start with another key while ids are needed, and starts after they were encrypted under it', async () => {
      const { start, folder } = scene()
      const { sluice } = await start({ key })
      const [regulation] = await sluice.regulations.create('shop', erased)
      await sluice.stop()
      rmSync(join(folder, 'data'), { recursive: true })
      const next = 'another-key-of-the-operator-that-cannot-be-guessed'
      await expect(start({ key: next })).rejects.toThrow(/the key of the ledger .+ is another one/)
      await expect(start({ key: next })).rejects.toThrow(/start without it: users stay suppressed/)
      const place = createFolderLedgerPlace(join(folder, 'ledger'), createSeededRandom(5))
      const parts = { clock, random: createSeededRandom(6) }
      expect(await rekeyLedger(place, { from: key, to: next }, parts)).toBe(1)
      expect(await rekeyLedger(place, { from: key, to: next }, parts)).toBe(0)
      const again = await start({ key: next })
      await eventually(() => jobsOf(again.sluice, regulation?.id)).toEqual(over)
    })

    it('does not start with another key while nothing is needed, and starts after the ledger was given it', async () => {
      const folder = newFolder()
      const store = freshStore()
      await (await begin(store, folder, key)).ledger.close()
      const next = 'another-key-of-the-operator-that-cannot-be-guessed'
      const refused = /the key of the ledger .+ is another one.+sluice ledger rekey/
      await expect(begin(store, folder, next)).rejects.toThrow(refused)
      const place = createFolderLedgerPlace(folder, createSeededRandom(5))
      const parts = { clock, random: createSeededRandom(6) }
      await expect(rekeyLedger(place, { from: `${key}!`, to: next }, parts)).rejects.toThrow(refused)
      const { regulations, ledger } = await begin(store, folder, key)
      await regulations.create('w', erased)
      await ledger.close()
      // Interrupted before the ledger was given the key: it is run again.
      const interrupted = {
        ...place,
        replace: async () => {
          throw new Error('interrupted')
        },
      }
      await expect(rekeyLedger(interrupted, { from: key, to: next }, parts)).rejects.toThrow('interrupted')
      await expect(begin(store, folder, next)).rejects.toThrow(refused)
      for (let times = 0; times < 2; times += 1)
        expect(await rekeyLedger(place, { from: key, to: next }, parts)).toBe(0)
      await expect(begin(store, folder, key)).rejects.toThrow(refused)
      await begin(store, folder, next)
    })

    it('accepts the key of a ledger of an earlier version only when it decrypts a note', async () => {
      const folder = newFolder()
      const store = freshStore()
      const before = await begin(store, folder, key)
      await before.regulations.create('w', erased)
      await before.ledger.close()
      await rm(join(folder, 'operatorKeyCheck'))
      await expect(begin(store, folder, `${key}!`)).rejects.toThrow(/cannot be decrypted/)
      await (await begin(store, folder, key)).ledger.close()
      await rm(join(folder, 'notes'), { recursive: true })
      await expect(begin(store, folder, `${key}!`)).rejects.toThrow(/cannot be decrypted/)
    })

    it('has deletions wait for the key in a start without it, and runs them in the next one with it', async () => {
      const { start, folder } = scene()
      const first = await start({ key })
      const [regulation] = await first.sluice.regulations.create('shop', erased)
      const id = regulation?.id ?? ''
      await eventually(() => jobsOf(first.sluice, id)).toEqual(over)
      await first.sluice.stop()
      rmSync(join(folder, 'data'), { recursive: true })
      for (let starts = 0; starts < 2; starts += 1) {
        const without = await start()
        await without.sluice.ingest('web-key', ['gone', 'other'].map(track))
        await eventually(() => without.sent()).toEqual(['other'])
        const jobs = await without.sluice.deletions.ofRegulation('shop', id)
        expect(jobs.map(({ status }) => status)).toEqual(['waiting', 'waiting'])
        expect(jobs[0]?.reason).toMatch(/^needs SLUICE_LEDGER_KEY/)
        expect(await without.health()).toEqual({ status: 'ok', warnings: ['ledgerKeyNeeded'] })
        await expect(without.sluice.certificates.make('shop', id)).rejects.toThrow(
          /2 of 2 .+ wait for SLUICE_LEDGER_KEY/,
        )
        await without.sluice.stop()
      }
      const { sluice, sent, health } = await start({ key })
      await eventually(() => jobsOf(sluice, id)).toEqual(over)
      expect((await sluice.regulations.find('shop', id))?.attributes).toEqual(erased.users[0])
      expect(await health()).toEqual({ status: 'ok' })
      await sluice.ingest('web-key', ['gone', 'more'].map(track))
      await eventually(() => sent()).toEqual(['more'])
      await sluice.certificates.make('shop', id)
    })

    it('runs deletions that an earlier version had given up for want of the key', async () => {
      const folder = newFolder()
      const before = await begin(freshStore(), folder, key)
      const [regulation] = await before.regulations.create('w', erased)
      if (!regulation) throw new Error('expected a regulation')
      await before.ledger.close()
      const store = freshStore()
      const restored = await begin(store, folder)
      await restored.ledger.close()
      // As the earlier version left it: no word of the ids, and jobs that are aborted.
      const left = freshStore()
      const marks = new Map(await store.ledger.marks())
      marks.delete('ids')
      await left.ledger.mark(marks)
      const aliased = (await store.find('w', regulation.id)) ?? regulation
      const jobs = await store.deletions.ofRegulation('w', regulation.id)
      await left.add(
        [aliased],
        jobs.map((job) => ({ ...job, status: 'aborted', reason: 'the ledger has no ids of this user' })),
      )
      const stateOf = async () =>
        (await left.deletions.ofRegulation('w', regulation.id)).map(({ status, attributes }) => [status, attributes])
      const without = await begin(left, folder)
      expect(await stateOf()).toEqual([
        ['waiting', aliased.attributes],
        ['waiting', aliased.attributes],
      ])
      await without.ledger.close()
      const again = await begin(left, folder, key)
      expect(await stateOf()).toEqual([
        ['pending', erased.users[0]],
        ['pending', erased.users[0]],
      ])
      expect(await again.isSuppressed('gone')).toBe(true)
      expect((await left.ledger.marks()).get('ids')).toBe('complete')
    })

    it('leaves a deletion alone that was cancelled while it waited', async () => {
      const folder = newFolder()
      const before = await begin(freshStore(), folder, key)
      const [regulation] = await before.regulations.create('w', erased)
      const id = regulation?.id ?? ''
      const store = freshStore()
      const without = await begin(store, folder)
      await without.regulations.cancel('w', id)
      expect(await without.isSuppressed('gone')).toBe(false)
      const again = await begin(store, folder, key)
      expect(await again.isSuppressed('gone')).toBe(false)
      const jobs = await store.deletions.ofRegulation('w', id)
      expect(jobs.map(({ status, reason }) => [status, reason])).toEqual([
        ['aborted', 'cancelled'],
        ['aborted', 'cancelled'],
      ])
    })

    it('refuses a note whose ids were moved to the regulation of another person', async () => {
      const folder = newFolder()
      const before = await begin(freshStore(), folder, key)
      const made = await before.regulations.create('w', {
        regulationType: 'suppress_with_delete',
        users: [{ userId: 'gone' }, { userId: 'other' }],
      })
      const notes = join(folder, 'notes')
      const [name] = await readdir(notes)
      const text = await readFile(join(notes, name ?? ''), 'utf8')
      const [first, second] = made.map(({ id }) => id)
      const swapped = text
        .replaceAll(String(first), '#')
        .replaceAll(String(second), String(first))
        .replaceAll('#', String(second))
      await writeFile(join(notes, name ?? ''), swapped)
      await expect(begin(freshStore(), folder, key)).rejects.toThrow(/was changed: it has the ids of other persons/)
      // Also where the regulations were put back without ids before.
      const store = freshStore()
      await begin(store, folder)
      await expect(begin(store, folder, key)).rejects.toThrow(/was changed: it has the ids of other persons/)
    })

    it('deletes again what was put back when the ledger was adopted', async () => {
      const { start, folder } = scene()
      const first = await start({ key })
      const [regulation] = await first.sluice.regulations.create('shop', erased)
      await eventually(() => jobsOf(first.sluice, regulation?.id)).toEqual(over)
      await first.sluice.stop()
      rmSync(join(folder, 'data'), { recursive: true })
      await adopt(folder, key)
      const { sluice } = await start({ key })
      await eventually(() => jobsOf(sluice, regulation?.id)).toEqual(over)
    })

    it.each([
      ['was given up', { status: 'aborted', reason: 'given up after 5 tries: no answer' }, 0],
      ['is to be tried again', { status: 'failed', reason: 'no answer' }, 0],
      ['was proved', { status: 'complete' }, 1],
      ['cannot be done by the destination', { status: 'aborted', reason: 'destination not supported: no' }, 1],
    ] as const)('keeps the ids of a deletion unless it was proved: one that %s', async (_, result, shredded) => {
      const folder = newFolder()
      const store = freshStore()
      const { regulations, ledger } = await begin(store, folder, key)
      await regulations.create('w', erased)
      const now = clock.now()
      for (const target of await store.deletions.due(now)) {
        const own = target.destinationId === ''
        const jobs = await store.deletions.begin(target, now, 9)
        const ended = own ? ({ status: 'complete' } as const) : result
        const updates = jobs.map(({ id }) => ({ id, attempts: 1, dueAt: now, updatedAt: now, ...ended }))
        await store.deletions.end(target.workspaceId, updates)
      }
      expect(await ledger.shred(1)).toBe(0)
      expect(await ledger.shred(0)).toBe(shredded)
    })

    it('keeps the ids of a deletion that was not ordered again yet', async () => {
      const folder = newFolder()
      const before = await begin(freshStore(), folder, key)
      await before.regulations.create('w', erased)
      const random = createSeededRandom(17)
      const place = createFolderLedgerPlace(folder, random)
      const restored = createLedger({ place, store: freshStore(), operatorKey: key, clock, random, onError: () => {} })
      await restored.compare()
      expect(await restored.shred(0)).toBe(0)
    })

    it('forgets the ids of a regulation that was cancelled', async () => {
      const folder = newFolder()
      const { regulations, ledger } = await begin(freshStore(), folder, key)
      const [regulation] = await regulations.create('w', erased)
      await regulations.cancel('w', regulation?.id ?? '')
      expect(await ledger.shred(1)).toBe(0)
      expect(await ledger.shred(0)).toBe(1)
    })

    it('forgets the ids when the deletion is over and no backup from before it is kept', async () => {
      const { start, folder } = scene()
      const notes = async () => readdir(join(folder, 'ledger', 'notes'))
      const first = await start({ key })
      const [regulation] = await first.sluice.regulations.create('shop', erased)
      await eventually(() => jobsOf(first.sluice, regulation?.id)).toEqual(over)
      await first.sluice.stop()
      await (await start({ key })).sluice.stop()
      expect(await notes()).toHaveLength(1)
      await start({ key, backupsKeptDays: 0 })
      await eventually(() => notes()).toEqual([])
    })

    it('is refused when it is short', async () => {
      await expect(scene().start({ key: 'secret' })).rejects.toThrow(/has 6 characters: give 32 or more/)
    })
  })

  it('contains no id of a person', async () => {
    const { start, folder } = scene()
    const { sluice } = await start()
    const users = [{ userId: 'kim-4711', email: 'kim@mail.test' }]
    await sluice.regulations.create('shop', { regulationType: 'suppress_with_delete', users })
    await sluice.stop()
    const texts = await linesOf(folder)
    expect(texts.length).toBeGreaterThan(0)
    expect(texts.join()).not.toMatch(/kim-4711|mail\.test/)
  })

  it.each([
    ['is missing', async (folder: string) => rm(join(folder, 'ledger'), { recursive: true }), /there is no ledger in/],
    [
      'lost its last line',
      async (folder: string) => truncate(await chainOf(folder), 0),
      /missing or shorter than its 1 lines/,
    ],
    ['lost a chain', async (folder: string) => rm(await chainOf(folder)), /missing or shorter than its 1 lines/],
    [
      'was changed',
      async (folder: string) => {
        const path = await chainOf(folder)
        await writeFile(path, (await readFile(path, 'utf8')).replace('"suppress"', '"Suppress"'))
      },
      /line 1 of chain .+ was changed/,
    ],
    [
      'belongs to another store',
      async (folder: string) => writeFile(join(folder, 'ledger', 'id'), 'another'),
      /belongs to another store/,
    ],
  ])('stops the start when it %s, and names the way out', async (_, damage, problem) => {
    const { start, folder } = scene()
    const { sluice } = await start()
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    await sluice.stop()
    await damage(folder)
    await expect(start()).rejects.toThrow(problem)
    await expect(start()).rejects.toThrow(/sluice ledger verify .+ sluice ledger adopt/)
    await adopt(folder)
    const again = await start()
    await again.sluice.ingest('web-key', ['u1', 'u2'].map(track))
    await eventually(() => again.sent()).toEqual(['u2'])
    await again.sluice.stop()
    // The ledger has it again: it outlives the store.
    rmSync(join(folder, 'data'), { recursive: true })
    expect((await (await start()).sluice.regulations.list('shop', { limit: 9 })).regulations).not.toEqual([])
  })

  it('stops the start when it has lost its key, and is not adopted without it', async () => {
    const { start, folder } = scene()
    const { sluice } = await start()
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    await sluice.stop()
    // The oldest backup that there can be: all that is known of the user is in the ledger.
    rmSync(join(folder, 'data'), { recursive: true })
    const key = await readFile(join(folder, 'ledger', 'key'), 'utf8')
    rmSync(join(folder, 'ledger', 'key'))
    await expect(start()).rejects.toThrow(/has lost its key/)
    await expect(adopt(folder)).rejects.toThrow(/Put the file key back/)
    await writeFile(join(folder, 'ledger', 'key'), key)
    const again = await start()
    await again.sluice.ingest('web-key', ['u1', 'u2'].map(track))
    await eventually(() => again.sent()).toEqual(['u2'])
  })

  it.each([
    ['of another ledger', async (path: string) => writeFile(path, 'another-key-of-fingerprints\n')],
    ['that is empty', async (path: string) => writeFile(path, '')],
  ])('refuses a key %s, with its store and with one from before, and is not adopted with it', async (_, damage) => {
    const { start, folder } = scene()
    const { sluice } = await start()
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    await sluice.stop()
    const path = join(folder, 'ledger', 'key')
    const key = await readFile(path, 'utf8')
    await damage(path)
    const place = createFolderLedgerPlace(join(folder, 'ledger'), createSeededRandom(1))
    const problem = /(has lost its|has another) key.+Put the file key back/
    const drill = () => drillRestore({ place, store: freshStore(), clock, random: createSeededRandom(8) })
    await expect(requireWholeLedger(place)).rejects.toThrow(problem)
    await expect(drill()).rejects.toThrow(problem)
    await expect(start()).rejects.toThrow(problem)
    await expect(adopt(folder)).rejects.toThrow(problem)
    // The store knows the key, too.
    await rm(join(folder, 'ledger', 'keyDigest'))
    await expect(start()).rejects.toThrow(problem)
    await writeFile(path, key)
    await (await start()).sluice.stop()
    rmSync(join(folder, 'data'), { recursive: true })
    await damage(path)
    await expect(start()).rejects.toThrow(problem)
    await writeFile(path, key)
    const again = await start()
    await again.sluice.ingest('web-key', ['u1', 'u2'].map(track))
    await eventually(() => again.sent()).toEqual(['u2'])
  })

  it('is not whole when it is gone', async () => {
    const { start, folder } = scene()
    await (await start()).sluice.stop()
    const place = createFolderLedgerPlace(join(folder, 'ledger'), createSeededRandom(1))
    await requireWholeLedger(place)
    await rm(join(folder, 'ledger'), { recursive: true })
    await expect(requireWholeLedger(place)).rejects.toThrow(/there is no ledger in the folder/)
  })

  it('is missed after a crash, too: what was answered is marked in the store', async () => {
    const { start, folder } = scene()
    const { sluice } = await start()
    for (const userId of ['u1', 'u2', 'u3'])
      await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId }] })
    // As a process that is killed leaves it.
    cpSync(join(folder, 'data'), join(folder, 'killed'), { recursive: true })
    await sluice.stop()
    rmSync(join(folder, 'data'), { recursive: true })
    cpSync(join(folder, 'killed'), join(folder, 'data'), { recursive: true })
    await rm(await chainOf(folder))
    await expect(start()).rejects.toThrow(/missing or shorter than its 3 lines/)
  })

  it('says where it was changed, chain by chain', async () => {
    const { start, folder } = scene()
    const { sluice } = await start()
    for (const userId of ['u1', 'u2', 'u3'])
      await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId }] })
    await sluice.stop()
    const place = createFolderLedgerPlace(join(folder, 'ledger'), createSeededRandom(1))
    const verified = async () => {
      const reports: ChainReport[] = []
      for await (const report of verifyLedger(place)) reports.push(report)
      return reports
    }
    expect(await verified()).toMatchObject([{ lines: 3, regulations: 3, canceled: 0 }])
    const path = await chainOf(folder)
    await writeFile(path, (await readFile(path, 'utf8')).replace('"number":2', '"number":2 '))
    expect(await verified()).toMatchObject([
      { lines: 2, regulations: 2, problem: expect.stringMatching(/^line 3 of chain .+ does not follow/) },
    ])
  })

  it('leaves out a line whose write was cut off, because it was never acknowledged', async () => {
    const { start, folder } = scene()
    const first = await start()
    await first.sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    await first.sluice.stop()
    await appendFile(await chainOf(folder), '{"number":2,"previous":"')
    const second = await start()
    await second.sluice.ingest('web-key', ['u1', 'u2'].map(track))
    await eventually(() => second.sent()).toEqual(['u2'])
  })

  it('refuses a regulation that it cannot keep, and stores nothing of it', async () => {
    const { start, folder } = scene()
    const { sluice } = await start()
    // A file in the place of the folder.
    await rename(join(folder, 'ledger'), join(folder, 'moved'))
    await writeFile(join(folder, 'ledger'), '')
    const request = { regulationType: 'suppress', users: [{ userId: 'u1' }] } as const
    await expect(sluice.regulations.create('shop', request)).rejects.toThrow(/cannot be written; nothing was stored/)
    expect((await sluice.regulations.list('shop', { limit: 10 })).regulations).toEqual([])
    await rm(join(folder, 'ledger'))
    await rename(join(folder, 'moved'), join(folder, 'ledger'))
    expect(await sluice.regulations.create('shop', request)).toHaveLength(1)
  })

  it('is needed for a store that was given regulations back without ids', async () => {
    const { start, folder } = scene()
    const { sluice } = await start()
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    await sluice.stop()
    rmSync(join(folder, 'data'), { recursive: true })
    await (await start()).sluice.stop()
    await expect(start({ withLedger: false })).rejects.toThrow(/only the ledger can find the users of/)
  })

  it('is given what was done while the store was served without it', async () => {
    const { start, folder } = scene()
    const first = await start()
    const suppress = (sluice: Sluice, userId: string) =>
      sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId }] })
    const [early] = await suppress(first.sluice, 'early')
    await first.sluice.stop()
    for (const userId of ['u1', 'u2']) {
      const without = await start({ withLedger: false })
      await suppress(without.sluice, userId)
      await without.sluice.regulations.cancel('shop', early?.id ?? '')
      await without.sluice.stop()
    }
    // A start that ends before the ledger has all of it leaves the rest to the next one.
    const random = createSeededRandom(12)
    const whole = createFolderLedgerPlace(join(folder, 'ledger'), random)
    const place = {
      ...whole,
      append: async () => {
        throw new Error('interrupted')
      },
    }
    const path = join(folder, 'data', 'sluice.db')
    const store = await openSqliteStore({ path, clock, random, thread: 'this' })
    const interrupted = createLedger({ place, store: store.regulations, clock, random, onError: () => {} })
    await expect(interrupted.compare()).rejects.toThrow('interrupted')
    await store.close()
    for (let starts = 0; starts < 2; starts += 1) await (await start()).sluice.stop()
    expect((await linesOf(folder)).join().match(/"kind":"(regulated|canceled)"/g)).toHaveLength(4)
    rmSync(join(folder, 'data'), { recursive: true })
    const { sluice, sent } = await start()
    await sluice.ingest('web-key', ['early', 'u1', 'u2', 'u3'].map(track))
    await eventually(() => sent()).toEqual(['early', 'u3'])
  })

  it('is given what an older store has, once', async () => {
    const { start, folder } = scene()
    const old = await start({ withLedger: false })
    await old.sluice.regulations.create('shop', {
      regulationType: 'suppress',
      users: [{ userId: 'u1' }, { userId: 'u2' }],
    })
    await old.sluice.stop()
    await (await start()).sluice.stop()
    await (await start()).sluice.stop()
    rmSync(join(folder, 'data'), { recursive: true })
    const { sluice, sent } = await start()
    expect((await sluice.regulations.list('shop', { limit: 10 })).regulations).toHaveLength(2)
    await sluice.ingest('web-key', ['u1', 'u2', 'u3'].map(track))
    await eventually(() => sent()).toEqual(['u3'])
  })
})

describe('a regulation that was put back without ids', () => {
  const person = { userId: ' kim', email: 'Kim@Mail.test', phone: '+49 30 12' }
  const restored = async () => {
    const folder = newFolder()
    const before = await begin(freshStore(), folder)
    const users = [person, { userId: 'ledger:kim' }]
    await before.regulations.create('w', { regulationType: 'suppress_with_delete', users })
    await before.ledger.close()
    const store = freshStore()
    return { store, after: await begin(store, folder) }
  }

  it('is listed for its user, and reported as in force', async () => {
    const { after } = await restored()
    for (const [userId, count] of [
      ['kim\u200b', 1],
      ['ledger:kim', 1],
      ['lee', 0],
    ] as const) {
      const { regulations } = await after.regulations.list('w', { userId, limit: 9 })
      expect(regulations.map(({ attributes }) => attributes.userId)).toEqual(
        Array.from({ length: count }, () => expect.stringMatching(/^ledger:[\w-]{43}$/)),
      )
      expect(await after.regulations.activeOf('w', [userId])).toEqual(regulations)
    }
    expect((await after.regulations.list('w', { limit: 9 })).regulations).toHaveLength(2)
  })

  it('stops guests by e-mail address and phone number, as before', async () => {
    const { after } = await restored()
    expect(await stops(after, { anonymousId: 'a', traits: { email: 'KIM@mail.test' } })).toBe(true)
    expect(await stops(after, { anonymousId: 'a', properties: { phone: '+49/3012' } })).toBe(true)
    expect(await stops(after, { userId: 'lee', traits: { email: 'kim@mail.test' } })).toBe(false)
    expect(await stops(after, { anonymousId: 'a', traits: { email: 'lee@mail.test' } })).toBe(false)
  })

  it('is no regulation of a user whose id looks like its own, and one of such a user has ids', async () => {
    const { store, after } = await restored()
    const { regulations } = await after.regulations.list('w', { userId: 'kim', limit: 9 })
    const shown = regulations[0]?.attributes.userId ?? ''
    expect(await stops(after, { userId: shown })).toBe(false)
    expect((await after.regulations.list('w', { userId: shown, limit: 9 })).regulations).toEqual([])
    const [real] = await after.regulations.create('w', {
      regulationType: 'suppress_with_delete',
      users: [{ userId: shown }],
    })
    expect(await stops(after, { userId: shown })).toBe(true)
    expect(await store.find('w', real?.id ?? '')).not.toHaveProperty('hasNoIds')
    const jobs = await store.deletions.ofRegulation('w', real?.id ?? '')
    expect(jobs.map(({ status }) => status)).not.toContain('aborted')
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, type ManualClock, systemRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { openSqliteStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { createGatedTransport, type GatedTransport } from '../support/faults/gated-transport.ts'
import { shop } from '../support/scenes/shop.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Scene {
  readonly clock: ManualClock
  readonly store: Store
  readonly sluice: Sluice
  readonly transport: GatedTransport
}

/** Starts a process on a folder. `kill` ends it as SIGKILL would: what is not committed is lost. */
async function start(folder: string, clock: ManualClock): Promise<Scene & { kill(): Promise<void> }> {
  const store = await openSqliteStore({ path: join(folder, 'sluice.db'), clock, random: systemRandom, thread: 'this' })
  const transport = createGatedTransport()
  const sluice = await createSluice({
    workspace: shop('http://hook.test/'),
    sandbox: { mode: 'in-process' },
    store,
    clock,
    transport,
    delivery: { concurrency: 4 },
  })
  const kill = (): Promise<void> => sluice.stop(0)
  closing.push(kill)
  return { clock, store, sluice, transport, kill }
}

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-slow-'))
  closing.push(() => rmSync(folder, { recursive: true }))
  return folder
}

const eventsOf = (call: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    type: 'track',
    event: 'E',
    userId: `u${(call * count + n) % 3}`,
    messageId: `m${call}-${n}`,
  }))

const deliveredAt = async ({ sluice }: Scene): Promise<unknown> => {
  const [stats] = await sluice.stats()
  return stats?.destinations.map(({ delivered, pending }) => ({ delivered, pending }))
}

/** Lets a second pass, in which what has ended is committed. */
async function pass({ clock }: Scene): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20))
  clock.advance(1_000)
  await new Promise((resolve) => setTimeout(resolve, 20))
}

describe('a destination that takes longer for what was read of the log than the process lives', () => {
  it('advances with each process, batch by batch: what was delivered a second ago is not sent again', async () => {
    const folder = openFolder()
    const clock = createManualClock()
    const first = await start(folder, clock)
    for (let call = 0; call < 5; call += 1) await first.sluice.ingest('web-key', eventsOf(call, 4))
    await first.transport.answer(10)
    await pass(first)
    expect(await deliveredAt(first)).toEqual([{ delivered: 10, pending: 10 }])
    await first.kill()

    const second = await start(folder, clock)
    await second.transport.answer(7)
    await pass(second)
    await second.kill()
    expect(second.transport.sent[0]).toBe('m2-2')

    const third = await start(folder, clock)
    await third.transport.answer(3)
    await third.sluice.settled()
    const all = [0, 1, 2, 3, 4].flatMap((call) => eventsOf(call, 4).map(({ messageId }) => messageId))
    expect(third.transport.sent).toEqual(all.slice(17))
    expect(await deliveredAt(third)).toEqual([{ delivered: 20, pending: 0 }])
    expect(await third.sluice.receipts('m0-0')).toMatchObject([{ outcome: 'delivered' }])
  })

  it('advances within one large batch', async () => {
    const folder = openFolder()
    const clock = createManualClock()
    const first = await start(folder, clock)
    await first.sluice.ingest('web-key', eventsOf(0, 450))
    await first.transport.answer(230)
    await pass(first)
    expect(await deliveredAt(first)).toEqual([{ delivered: 230, pending: 220 }])
    await first.kill()

    const second = await start(folder, clock)
    expect(await deliveredAt(second)).toEqual([{ delivered: 230, pending: 220 }])
    await second.transport.answer(220)
    await second.sluice.settled()
    expect(second.transport.sent).toEqual(
      eventsOf(0, 450)
        .slice(230)
        .map(({ messageId }) => messageId),
    )
    expect(await deliveredAt(second)).toEqual([{ delivered: 450, pending: 0 }])
  })

  it('commits what it can while one event waits, and nothing behind that event', async () => {
    const scene = await start(openFolder(), createManualClock())
    await scene.sluice.ingest('web-key', eventsOf(0, 2))
    await scene.sluice.ingest(
      'web-key',
      ['a', 'b', 'c', 'd'].map((userId) => ({ type: 'track', event: 'E', userId, messageId: userId })),
    )
    await scene.transport.answer(2)
    await scene.transport.answerTo(['b', 'c', 'd'])
    await pass(scene)
    expect(await deliveredAt(scene)).toEqual([{ delivered: 2, pending: 4 }])
    await scene.transport.answerTo(['a'])
    await scene.sluice.settled()
    expect(await deliveredAt(scene)).toEqual([{ delivered: 6, pending: 0 }])
  })

  it('commits once when it is quick', async () => {
    const scene = await start(openFolder(), createManualClock())
    let commits = 0
    const { commit } = scene.store.log
    Object.assign(scene.store.log, {
      commit: (progress: Parameters<typeof commit>[0]) => {
        if (progress.consumer.includes('hook')) commits += 1
        return commit(progress)
      },
    })
    await scene.sluice.ingest('web-key', eventsOf(0, 300))
    await scene.transport.answer(300)
    await scene.sluice.settled()
    expect(commits).toBe(1)
  })
})

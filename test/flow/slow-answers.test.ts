import { setTimeout as wait } from 'node:timers/promises'
import { createManualClock, systemClock, systemRandom } from '@sluice/core'
import { type Answer, reply, type Transport, type TransportResult } from '@sluice/delivery'
import { openSqliteStore } from '@sluice/storage'
import fc from 'fast-check'
import type { Sluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { sized } from '../support/long.ts'
import { startReceiver } from '../support/receiver.ts'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

const workspaceOf = (webhookUrl: string) => ({
  id: 'w1',
  sources: [{ id: 's1', writeKey: 'k1' }],
  destinations: [{ id: 'd1', type: 'WEBHOOK', settings: { webhookUrl } }],
  connections: [{ source: 's1', destination: 'd1' }],
})

const serve = serveWorkspaces({ workspace: workspaceOf('http://d1.test/') })
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const track = (userId: string, n: number) => ({ type: 'track', event: 'E', userId, messageId: `${userId} ${n}` })

async function totals(sluice: Sluice) {
  const [source] = await sluice.stats()
  const [destination] = source?.destinations ?? []
  const { accepted, delivered, failed, pending } = destination ?? {}
  return { accepted, delivered, failed, pending }
}

/** Answers some users when they are released, and all others at once. */
function hangingFor(users: readonly string[]) {
  const waiting: (() => void)[] = []
  let isOver = false
  const sent: string[] = []
  const under = { hanging: 0, most: 0 }
  const answer: Answer = ({ body }, { signal }) => {
    const { userId, messageId } = body.JSON as { readonly userId: string; readonly messageId: string }
    sent.push(messageId)
    if (isOver || !users.includes(userId)) return reply(200)
    under.hanging += 1
    under.most = Math.max(under.most, under.hanging)
    return new Promise<TransportResult>((resolve, reject) => {
      waiting.push(() => resolve(reply(200)))
      signal.addEventListener('abort', () => reject(signal.reason))
    }).finally(() => {
      under.hanging -= 1
    })
  }
  const release = (): void => {
    isOver = true
    for (const each of waiting.splice(0)) each()
  }
  return { answer, release, sent, under }
}

/** Moves the time on until something is so. */
async function pass(clock: ReturnType<typeof createManualClock>, isSo: () => boolean | Promise<boolean>) {
  while (!(await isSo())) {
    clock.advance(50)
    await wait(1)
  }
}

/** The first arrival of each event of a user. */
const orderOf = (arrived: readonly string[], userId: string): readonly number[] =>
  [...new Set(arrived)].filter((id) => id.startsWith(`${userId} `)).map((id) => Number(id.split(' ')[1]))

describe('a destination that does not answer for some users', () => {
  it('gets the events of all others meanwhile, over real connections, in order and once', async () => {
    const users = Array.from({ length: 40 }, (_, n) => `u${n}`)
    const silent = users.slice(0, 5)
    let isOver = false
    const open = new Set<() => void>()
    const arrived: string[] = []
    const receiver = await startReceiver(({ body }, response) => {
      const { userId, messageId } = JSON.parse(body)
      arrived.push(messageId)
      if (isOver || !silent.includes(userId)) return 200
      const answer = (): void => void response.writeHead(200).end()
      open.add(answer)
      response.on('close', () => open.delete(answer))
      return undefined
    })
    cleanups.push(() => receiver.close())
    const { sluice } = await serve({
      workspace: workspaceOf(receiver.url),
      clock: systemClock,
      allowAddresses: ['localhost'],
      delivery: { slowMs: 1_000, timeMs: 600_000 },
      retries: { backoff: { baseMs: 100, capMs: 100 } },
    })
    // It answers as a rule.
    await sluice.ingest(
      'k1',
      Array.from({ length: 20 }, (_, n) => track('quick', n)),
    )
    await sluice.settled()
    const rounds = 20
    for (let n = 0; n < rounds; n += 1)
      await sluice.ingest(
        'k1',
        users.map((userId) => track(userId, n)),
      )
    const others = users.length - silent.length
    const isOfOther = (id: string): boolean => !silent.includes(id.split(' ')[0] ?? '')
    await eventually(() => arrived.filter(isOfOther).length).toBe(20 + others * rounds)
    await eventually(() => totals(sluice)).toEqual({
      accepted: 20 + users.length * rounds,
      delivered: 20 + others * rounds,
      failed: {},
      pending: silent.length * rounds,
    })
    // A quarter of eight connections may hang.
    await eventually(() => open.size).toBe(2)
    isOver = true
    for (const answer of open) answer()
    await sluice.settled()
    expect(await totals(sluice)).toEqual({ accepted: 820, delivered: 820, failed: {}, pending: 0 })
    for (const userId of users) expect(orderOf(arrived, userId)).toEqual([...Array(rounds).keys()])
    expect(arrived.filter(isOfOther)).toHaveLength(20 + others * rounds)
  })

  it('holds back the others for a tenth of a second, and the cursor for two', async () => {
    const clock = createManualClock()
    const { answer, release, sent } = hangingFor(['u0'])
    const { sluice } = await serve({ answer, clock })
    cleanups.push(async () => release())
    await sluice.ingest('k1', [track('u0', 0), track('u1', 0)])
    await eventually(() => sent).toEqual(['u0 0', 'u1 0'])
    await sluice.ingest('k1', [track('u0', 1), track('u1', 1)])
    const start = clock.now()
    await pass(clock, () => sent.includes('u1 1'))
    expect(clock.now() - start).toBeLessThanOrEqual(100)
    const pending = async () => (await totals(sluice)).pending
    await pass(clock, async () => (await pending()) === 2)
    expect(clock.now() - start).toBeLessThanOrEqual(2_000 + 50)
    expect(sent).toEqual(['u0 0', 'u1 0', 'u1 1'])
  })

  it('holds back the others no longer than twice its usual time once it is known to be quick, in sixty calls, too', async () => {
    const clock = createManualClock()
    const { answer, release, sent } = hangingFor(['u0'])
    const { sluice } = await serve({ answer, clock })
    cleanups.push(async () => release())
    for (let n = 0; n < 30; n += 1) {
      await sluice.ingest('k1', [track('u1', n)])
      await eventually(() => sent.length).toBe(n + 1)
      await sluice.settled()
    }
    await sluice.ingest('k1', [track('u0', 0)])
    await eventually(() => sent.at(-1)).toBe('u0 0')
    const start = clock.now()
    for (let n = 30; n < 90; n += 1) {
      await sluice.ingest('k1', [track('u1', n)])
      for (let turns = 0; turns < 100 && sent.at(-1) !== `u1 ${n}`; turns += 1) await wait(1)
      if (sent.at(-1) === `u1 ${n}`) continue
      clock.advance(2)
      await eventually(() => sent.at(-1)).toBe(`u1 ${n}`)
    }
    expect(clock.now() - start).toBeLessThanOrEqual(2)
  })

  it('is not sent an event again while its attempt still runs, and gets the next one of the user when it has ended', async () => {
    const clock = createManualClock()
    const { answer, release, sent } = hangingFor(['u0'])
    const { sluice } = await serve({ answer, clock })
    await sluice.ingest('k1', [track('u0', 0), track('u0', 1), track('u1', 0)])
    await pass(clock, async () => (await totals(sluice)).pending === 2)
    for (let n = 0; n < 100; n += 1) {
      clock.advance(60_000)
      await wait(1)
    }
    expect(sent).toEqual(['u0 0', 'u1 0'])
    release()
    await sluice.settled()
    expect(sent).toEqual(['u0 0', 'u1 0', 'u0 1'])
    expect(await totals(sluice)).toEqual({ accepted: 3, delivered: 3, failed: {}, pending: 0 })
    expect(await sluice.receipts('u0 0')).toMatchObject([{ outcome: 'delivered', outputs: 1 }])
  })

  it('gets the event again after a crash, and only that one', async () => {
    const path = serve.file('crash.db')
    const clock = createManualClock()
    const open = () => openSqliteStore({ path, clock, random: systemRandom, synchronous: 'normal' })
    const before = hangingFor(['u0'])
    const first = await serve({ answer: before.answer, clock, store: await open() })
    await first.sluice.ingest('k1', [track('u0', 0), track('u1', 0), track('u0', 1)])
    await pass(clock, async () => (await totals(first.sluice)).pending === 2)
    // What is still under way is cut off.
    await first.sluice.stop(0)
    const after = hangingFor([])
    const second = await serve({ answer: after.answer, clock, store: await open() })
    const settled = second.sluice.settled()
    let isSettled = false
    void settled.then(() => {
      isSettled = true
    })
    await pass(clock, () => isSettled)
    expect(after.sent).toEqual(['u0 0', 'u0 1'])
    expect(await totals(second.sluice)).toEqual({ accepted: 3, delivered: 3, failed: {}, pending: 0 })
  })

  it('ends what it has begun when the pipeline stops: nothing is sent again', async () => {
    const path = serve.file('stop.db')
    const clock = createManualClock()
    const open = () => openSqliteStore({ path, clock, random: systemRandom, synchronous: 'normal' })
    const { answer, release } = hangingFor(['u0'])
    const { sluice } = await serve({ answer, clock, store: await open() })
    await sluice.ingest('k1', [track('u0', 0), track('u1', 0)])
    await pass(clock, async () => (await totals(sluice)).pending === 1)
    const stopped = sluice.stop(60_000)
    release()
    await stopped
    const store = await open()
    expect(await store.retries.entries('w1', 'd1')).toEqual([])
    await store.close()
  })

  it('may take long for every event: no attempt is cut short, and all of its connections are used', async () => {
    const clock = createManualClock()
    const sent: string[] = []
    const under = { now: 0, most: 0 }
    const answer: Answer = async ({ body }, { signal }) => {
      sent.push(String(body.JSON['messageId']))
      under.now += 1
      under.most = Math.max(under.most, under.now)
      await clock.sleep(3_000, signal)
      under.now -= 1
      return reply(200)
    }
    const { sluice } = await serve({ answer, clock })
    const users = Array.from({ length: 30 }, (_, n) => `u${n}`)
    for (let n = 0; n < 2; n += 1)
      await sluice.ingest(
        'k1',
        users.map((userId) => track(userId, n)),
      )
    await pass(clock, async () => (await totals(sluice)).delivered === 60)
    expect(sent).toHaveLength(60)
    expect(under.most).toBe(8)
    for (const userId of users) expect(orderOf(sent, userId)).toEqual([0, 1])
  })

  it('lets no more than a quarter of its connections hang once it answers others', async () => {
    const clock = createManualClock()
    const users = Array.from({ length: 60 }, (_, n) => `u${n}`)
    const silent = users.filter((_, n) => n % 2 === 1)
    const { answer, release, sent, under } = hangingFor(silent)
    const { sluice } = await serve({ answer, clock })
    for (let n = 0; n < 4; n += 1)
      await sluice.ingest(
        'k1',
        users.map((userId) => track(userId, n)),
      )
    await pass(clock, async () => (await totals(sluice)).pending === silent.length * 4)
    await pass(clock, () => under.hanging <= 2)
    release()
    await pass(clock, async () => (await totals(sluice)).pending === 0)
    for (const userId of users) expect(orderOf(sent, userId)).toEqual([0, 1, 2, 3])
  })

  it('gets the events of a user in order also when its settings change meanwhile', async () => {
    const clock = createManualClock()
    const { answer, release, sent } = hangingFor(['u0'])
    const { sluice } = await serve({ answer, clock })
    await sluice.ingest('k1', [track('u0', 0), track('u1', 0)])
    await pass(clock, () => sent.includes('u1 0'))
    clock.advance(200)
    await sluice.updateWorkspace(uncheckedWorkspace(workspaceOf('http://d1.test/other')))
    await sluice.ingest('k1', [track('u0', 1), track('u1', 1)])
    await pass(clock, () => sent.includes('u1 1'))
    expect(sent).toEqual(['u0 0', 'u1 0', 'u1 1'])
    release()
    await sluice.settled()
    expect(sent).toEqual(['u0 0', 'u1 0', 'u1 1', 'u0 1'])
  })

  it('is sent each event until it has taken it, one at a time of each user and in order, whatever takes how long', async () => {
    // Milliseconds until an answer, and its status; behind the plan, it answers at once.
    const anAnswer = fc.record({
      afterMs: fc.constantFrom(0, 0, 0, 20, 1_500, 2_500, 9_000),
      status: fc.constantFrom(200, 200, 503, 429, 400),
    })
    const anEvent = fc.record({
      userId: fc.constantFrom(...'abcdefghijkl'),
      plan: fc.array(anAnswer, { maxLength: 3 }),
    })
    const aCall = fc.record({
      events: fc.array(anEvent, { minLength: 1, maxLength: 8 }),
      laterMs: fc.constantFrom(0, 100, 5_000),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(aCall, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 8 }),
        async (...given) => {
          const [sent, concurrency] = given
          const clock = createManualClock()
          const plans = new Map<string, { readonly afterMs: number; readonly status: number }[]>()
          const underWay = new Set<string>()
          const ended: string[] = []
          const faults: string[] = []
          const send: Transport['send'] = async ({ body }, { signal }) => {
            signal.throwIfAborted()
            const { userId, messageId } = body.JSON as { readonly userId: string; readonly messageId: string }
            if (underWay.has(userId)) faults.push(`two at a time of ${userId}`)
            if (ended.includes(messageId)) faults.push(`${messageId} again`)
            underWay.add(userId)
            if (underWay.size > concurrency) faults.push('too many at a time')
            const { afterMs, status } = plans.get(messageId)?.shift() ?? { afterMs: 0, status: 200 }
            if (afterMs > 0) await clock.sleep(afterMs, signal)
            underWay.delete(userId)
            signal.throwIfAborted()
            if (status === 200 || status === 400) ended.push(messageId)
            return reply(status)
          }
          const { sluice } = await serve({ transport: { send }, clock, delivery: { concurrency } })
          const counts = new Map<string, number>()
          for (const { events, laterMs } of sent) {
            const call = events.map(({ userId, plan }) => {
              const n = counts.get(userId) ?? 0
              counts.set(userId, n + 1)
              plans.set(`${userId} ${n}`, [...plan])
              return track(userId, n)
            })
            await sluice.ingest('k1', call)
            clock.advance(laterMs)
            await wait(0)
          }
          let isSettled = false
          const settled = sluice.settled().then(() => {
            isSettled = true
          })
          while (!isSettled) {
            clock.advance(500)
            await wait(0)
          }
          await settled
          const accepted = [...counts.values()].reduce((sum, count) => sum + count, 0)
          const { delivered = 0, failed, pending } = await totals(sluice)
          expect(faults).toEqual([])
          expect([delivered + (failed?.['deliver.refused'] ?? 0), pending]).toEqual([accepted, 0])
          for (const [userId, count] of counts) expect(orderOf(ended, userId)).toEqual([...Array(count).keys()])
          await sluice.stop()
        },
      ),
      { numRuns: sized(10, 300) },
    )
  })
})

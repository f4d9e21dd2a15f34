import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, systemRandom } from '@sluice/core'
import { type Answer, reply } from '@sluice/delivery'
import { openSqliteStore } from '@sluice/storage'
import type { Sluice } from 'sluice'
import { afterAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createHastyClock } from '../support/faults/hasty-clock.ts'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'
import { type ServeOptions, serveWorkspaces } from '../support/served-workspace.ts'

const workspace = {
  id: 'w1',
  sources: [{ id: 's1', writeKey: 'k1' }],
  destinations: [
    {
      id: 'd1',
      type: 'WEBHOOK',
      settings: {
        webhookUrl: 'http://d1.test/in',
        headers: [{ from: 'authorization', to: 'Bearer pw-secret' }],
      },
    },
  ],
  connections: [{ source: 's1', destination: 'd1' }],
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-retries-'))
afterAll(() => rmSync(folder, { recursive: true }))
const serve = serveWorkspaces({ workspace })

async function start(answer: Answer, options: ServeOptions = {}) {
  const { sluice, transport } = await serve({ answer, ...options })
  const sent = () => transport.requests.map(({ body }) => String(body.JSON['messageId']))
  return { sluice, transport, sent }
}

const track = (messageId: string, userId = 'u1') => ({ type: 'track', event: 'E', userId, messageId })
const hasPassed = (condition: () => boolean | Promise<boolean>) => eventually(condition).toBe(true)

async function totals(sluice: Sluice) {
  const [source] = await sluice.stats()
  const [destination] = source?.destinations ?? []
  if (destination === undefined) throw new Error('nothing was counted')
  const { accepted, replayed, delivered, dropped, failed, pending } = destination
  return { accepted, replayed, delivered, dropped, failed, pending }
}
/** Time passes quickly here: see the clock. */
const forever = { windowMs: Number.MAX_SAFE_INTEGER }
const nothing = { replayed: 0, dropped: {}, failed: {}, pending: 0 }

describe('events that cannot be delivered yet', () => {
  it('are retried until they arrive, while the events of other users overtake them', async () => {
    let isUp = false
    const { sluice, sent } = await start(({ body }) => reply(isUp || body.JSON['userId'] !== 'u1' ? 200 : 503), {
      retries: forever,
    })
    await sluice.ingest('k1', [track('m1'), track('m2'), track('n1', 'u2'), track('n2', 'u2')])
    await hasPassed(() => sent().includes('n2') && sent().filter((id) => id === 'm1').length > 4)
    expect(sent()).not.toContain('m2')
    expect(await totals(sluice)).toEqual({ ...nothing, accepted: 4, delivered: 2, pending: 2 })
    await sluice.ingest('k1', [track('m3')])
    isUp = true
    await sluice.settled()
    expect(sent().filter((id, at) => id.startsWith('m') && sent().lastIndexOf(id) === at)).toEqual(['m1', 'm2', 'm3'])
    expect(await totals(sluice)).toEqual({ ...nothing, accepted: 5, delivered: 5 })
    expect(await sluice.receipts('m1')).toMatchObject([{ outcome: 'delivered', outputs: 1 }])
  })

  it('survive a restart, in order', async () => {
    const path = join(folder, 'restart.db')
    const clock = createHastyClock()
    const open = () => openSqliteStore({ path, clock, random: systemRandom, synchronous: 'normal' })
    const before = await start(() => reply(503), { store: await open(), retries: forever })
    await before.sluice.ingest('k1', [track('m1'), track('m2'), track('n1', 'u2')])
    await hasPassed(async () => before.sent().filter((id) => id === 'm1').length > 4)
    await before.sluice.stop()
    const after = await start(() => reply(200), { store: await open() })
    await after.sluice.ingest('k1', [track('m3')])
    await after.sluice.settled()
    expect(after.sent().filter((id) => id.startsWith('m'))).toEqual(['m1', 'm2', 'm3'])
    expect(await totals(after.sluice)).toEqual({ ...nothing, accepted: 4, delivered: 4 })
  })

  it('are stored at once when the pipeline stops; it does not wait for them', async () => {
    const path = join(folder, 'stop.db')
    const clock = createManualClock()
    const open = () => openSqliteStore({ path, clock, random: systemRandom, synchronous: 'normal' })
    const { sluice, sent } = await start(() => reply(503), { store: await open(), clock })
    await sluice.ingest('k1', [track('m1'), track('n1', 'u2')])
    await hasPassed(() => sent().length === 2)
    await sluice.stop(60_000)
    const store = await open()
    const waiting = await store.retries.entries('w1', 'd1')
    expect(waiting.flatMap(({ userKeys }) => userKeys).sort()).toEqual(['u1', 'u2'])
    await store.close()
  })

  it('are given up when their time is over, and can be replayed from the dead letters', async () => {
    let isUp = false
    const { sluice } = await start(() => reply(isUp ? 200 : 500, 'Bearer pw-secret is overloaded'))
    await sluice.ingest('k1', [track('m1')])
    await sluice.settled()
    expect(await totals(sluice)).toEqual({
      ...nothing,
      accepted: 1,
      delivered: 0,
      failed: { 'deliver.unavailable': 1 },
    })
    const [letter, ...others] = await sluice.deadLetters.list('w1', { limit: 9 })
    expect(others).toEqual([])
    expect(letter).toMatchObject({
      stage: 'deliver',
      source: { event: { messageId: 'm1' } },
      error: {
        message: expect.stringMatching(/^d1\.test did not accept the request in \d+ attempts\. It answered 500\.$/),
        detail: { status: 500, request: { endpoint: 'http://d1.test/in' }, reply: '•••••• is overloaded' },
      },
    })
    expect(Number(letter?.error.detail?.['attempts'])).toBeGreaterThanOrEqual(3)
    expect(JSON.stringify(letter)).not.toContain('pw-secret')

    isUp = true
    expect(await sluice.deadLetters.replay('w1', { ids: [letter?.id ?? ''] })).toBe(1)
    await sluice.settled()
    expect(await totals(sluice)).toMatchObject({ replayed: 1, delivered: 1, pending: 0 })
    expect(await sluice.deadLetters.list('w1', { limit: 9 })).toEqual([])
    expect(await sluice.receipts('m1')).toMatchObject([{ outcome: 'delivered' }])
  })

  it('are no longer retried once their user is suppressed, nor are replayed dead letters', async () => {
    let status = 400
    const { sluice, sent } = await start(() => reply(status), { retries: forever })
    await sluice.ingest('k1', [track('m1', 'gone')])
    await sluice.settled()
    status = 503
    await sluice.ingest('k1', [track('m2', 'gone')])
    await hasPassed(() => sent().includes('m2'))
    await sluice.regulations.create('w1', { regulationType: 'suppress', users: [{ userId: 'gone' }] })
    const sentBefore = sent().length
    await sluice.settled()
    expect(await sluice.deadLetters.replay('w1', { destinationId: 'd1' })).toBe(1)
    await sluice.settled()
    expect(sent().length).toBeLessThanOrEqual(sentBefore + 1)
    expect(await totals(sluice)).toMatchObject({ pending: 0, dropped: { suppressed: 2 } })
    expect(await sluice.deadLetters.list('w1', { limit: 9 })).toEqual([])
  })

  it('become dead letters when their destination is removed', async () => {
    const { sluice, sent } = await start(() => reply(503), { retries: forever })
    await sluice.ingest('k1', [track('m1')])
    await hasPassed(() => sent().length > 4)
    await sluice.updateWorkspace({ ...workspace, destinations: [], connections: [] })
    await hasPassed(async () => (await totals(sluice)).pending === 0)
    expect((await totals(sluice)).failed).toEqual({ 'destination.gone': 1 })
    expect(await sluice.deadLetters.list('w1', { limit: 9 })).toMatchObject([{ error: { code: 'destination.gone' } }])
  })

  it('fail at once when waiting is switched off', async () => {
    const { sluice, sent } = await start(() => reply(503), { retries: { windowMs: 0 } })
    await sluice.ingest('k1', [track('m1'), track('m2')])
    await sluice.settled()
    expect(sent()).toEqual(['m1', 'm1', 'm1', 'm2', 'm2', 'm2'])
    expect(await totals(sluice)).toMatchObject({ failed: { 'deliver.unavailable': 2 }, pending: 0 })
  })

  it('wait in the log when too many wait already', async () => {
    let isUp = false
    const { sluice, sent } = await start(() => reply(isUp ? 200 : 503), { retries: { ...forever, eventsMax: 1 } })
    await sluice.ingest('k1', [track('m1'), track('m2')])
    for (let n = 0; n < 5; n += 1) await sluice.ingest('k1', [track(`n${n}`, `v${n}`)])
    await hasPassed(() => sent().filter((id) => id === 'm1').length > 4)
    isUp = true
    await sluice.settled()
    expect(await totals(sluice)).toEqual({ ...nothing, accepted: 7, delivered: 7 })
  })

  it('are replayed from the user transformation onwards when they failed in it', async () => {
    const coded = (code: string) => ({
      ...workspace,
      destinations: [{ ...workspace.destinations[0], transformation: { code } }],
    })
    const { sluice, sent } = await start(() => reply(200), {
      workspace: uncheckedWorkspace(coded('export function transformEvent(event) { throw new Error("not yet") }')),
    })
    await sluice.ingest('k1', [track('m1')])
    await sluice.settled()
    expect(sent()).toEqual([])
    await sluice.updateWorkspace(uncheckedWorkspace(coded('export function transformEvent(event) { return event }')))
    expect(await sluice.deadLetters.replay('w1', { destinationId: 'd1' })).toBe(1)
    await sluice.settled()
    expect(sent()).toEqual(['m1'])
    expect(await totals(sluice)).toMatchObject({
      failed: { 'transform.threw': 1 },
      replayed: 1,
      delivered: 1,
      pending: 0,
    })
  })
})

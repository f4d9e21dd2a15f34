import { createManualClock, systemRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { createMemoryStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { hashOf } from '../support/http/api-client.ts'

const hour = 3_600_000
let clock = createManualClock()
let transport = createRecordingTransport(() => reply(200))
let sluice: Sluice
let status = 200
let seen = 0

beforeEach(async () => {
  clock = createManualClock(Date.UTC(2026, 0, 1))
  status = 200
  seen = 0
  transport = createRecordingTransport(() => reply(status))
  sluice = await createSluice({
    workspace: {
      id: 'w',
      sources: [
        { id: 's', writeKey: 'k' },
        { id: 'apart', writeKey: 'other' },
      ],
      destinations: [
        { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/' } },
        { id: 'off', type: 'WEBHOOK', enabled: false, settings: { webhookUrl: 'http://off.test/' } },
      ],
      connections: [{ source: 's', destination: 'hook' }],
      accessTokens: [
        { name: 'o', token: hashOf('operator'), scopes: ['operate'] },
        { name: 'r', token: hashOf('reader'), scopes: ['read'] },
      ],
    },
    store: createMemoryStore({ clock, random: systemRandom }),
    transport,
    clock,
    sandbox: { mode: 'in-process' },
    retries: { eventsMax: 1_000 },
    delivery: { retry: { attemptsMax: 1, baseMs: 0, capMs: 0 } },
  })
})
afterEach(() => sluice.stop())

const track = (userId: string, messageId: string) => ({ type: 'track', event: 'E', userId, messageId })
/** Deliveries since the last call. */
function sent(): readonly unknown[] {
  const requests = transport.requests.slice(seen)
  seen = transport.requests.length
  return requests.map(({ body }) => body.JSON['messageId'])
}

async function replay(body: unknown, token = 'operator') {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await sluice.fetch(
    new Request('http://sluice.test/v2/replays', { method: 'POST', headers, body: JSON.stringify(body) }),
  )
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Received an hour apart from each other. */
async function ingest(...messageIds: readonly string[]): Promise<void> {
  for (const messageId of messageIds) {
    await sluice.ingest('k', [track(messageId, messageId)])
    await sluice.settled()
    clock.advance(hour)
  }
}

describe('replaying what the log still has', () => {
  it('sends what was received in that time again, in order, and counts it as replayed', async () => {
    await ingest('a', 'b', 'c')
    expect(sent()).toEqual(['a', 'b', 'c'])
    const within = { from: '2026-01-01T01:00:00Z', to: '2026-01-01T03:00:00+00:00' }
    expect(await replay({ destinationId: 'hook', ...within })).toEqual({ status: 200, body: { matched: 2 } })
    await sluice.settled()
    expect(sent()).toEqual(['b', 'c'])
    expect((await sluice.stats())[0]?.destinations[0]).toMatchObject({
      accepted: 3,
      replayed: 2,
      delivered: 5,
      pending: 0,
    })
  })

  it('only counts in a dry run', async () => {
    await ingest('a', 'b')
    sent()
    expect((await replay({ destinationId: 'hook', dryRun: true })).body).toEqual({ matched: 2 })
    await sluice.settled()
    expect(sent()).toEqual([])
    expect((await sluice.stats())[0]?.destinations[0]).toMatchObject({ replayed: 0 })
  })

  it('leaves out suppressed users, erased events, and sources that are not connected', async () => {
    await ingest('stays', 'regulated', 'erased')
    await sluice.ingest('other', [track('u', 'elsewhere')])
    await sluice.settled()
    sent()
    const regulate = (regulationType: 'suppress' | 'suppress_with_delete', userId: string) =>
      sluice.regulations.create('w', { regulationType, users: [{ userId }] })
    await regulate('suppress', 'regulated')
    const [deletion] = await regulate('suppress_with_delete', 'erased')
    await eventually(async () => (await sluice.deletions.ofRegulation('w', deletion?.id ?? ''))[0]?.status).toBe(
      'complete',
    )
    expect((await replay({ destinationId: 'hook' })).body).toEqual({ matched: 1 })
    await sluice.settled()
    expect(sent()).toEqual(['stays'])
  })

  it('works step by step, and repeating a step with its cursor omits nothing', async () => {
    const events = Array.from({ length: 600 }, (_, n) => track(`u${n % 7}`, `m${n}`))
    for (let call = 0; call < 5; call += 1) await sluice.ingest('k', events)
    await sluice.settled()
    sent()
    let matched = 0
    let after: unknown
    let steps = 0
    do {
      const step = await replay({ destinationId: 'hook', after })
      expect(step.status).toBe(200)
      matched += Number(step.body['matched'])
      after = step.body['next']
      steps += 1
      await sluice.settled()
    } while (after !== undefined)
    expect(matched).toBe(3_000)
    expect(steps).toBe(5)
    expect(sent()).toHaveLength(3_000)
  })

  it('accepts no more than may wait for the destination, and says so', async () => {
    await sluice.ingest(
      'k',
      Array.from({ length: 1_000 }, (_, n) => track(`u${n}`, `m${n}`)),
    )
    await sluice.settled()
    status = 503
    expect((await replay({ destinationId: 'hook' })).body).toEqual({ matched: 1_000 })
    const busy = await replay({ destinationId: 'hook' })
    expect(busy.status).toBe(503)
    expect(busy.body).toMatchObject({ code: 'replayBusy', message: expect.stringContaining('continue when some') })
  })

  it('says what is wrong: the destination, the times, the cursor, the token', async () => {
    expect(await replay({ destinationId: 'nowhere' })).toMatchObject({
      status: 404,
      body: { code: 'destinationMissing' },
    })
    expect(await replay({ destinationId: 'off' })).toMatchObject({ status: 404 })
    expect(await replay({ destinationId: 'hook', from: 'yesterday' })).toMatchObject({ status: 400 })
    expect(await replay({ destinationId: 'hook', after: '-1' })).toMatchObject({
      status: 400,
      body: { code: 'replayCursorInvalid' },
    })
    expect(await replay({})).toMatchObject({ status: 400 })
    expect(await replay({ destinationId: 'hook' }, 'reader')).toMatchObject({ status: 403 })
    expect(await replay({ destinationId: 'hook' }, 'unknown')).toMatchObject({ status: 401 })
  })
})

describe('replaying dead letters by time', () => {
  it('sends those that failed in that time again; a dry run counts them', async () => {
    status = 400
    await ingest('a')
    await ingest('b')
    const query = { destinationId: 'hook', source: 'dead-letters', from: '2026-01-01T01:00:00Z' }
    expect((await replay({ ...query, dryRun: true })).body).toEqual({ matched: 1 })
    sent()
    status = 200
    expect((await replay(query)).body).toEqual({ matched: 1 })
    await sluice.settled()
    expect(sent()).toEqual(['b'])
    expect(await sluice.deadLetters.list('w', { limit: 9 })).toHaveLength(1)
  })
})

import { createRecordingTransport, reply } from '@sluice/delivery'
import { createSluice, type Sluice, type SluiceOptions } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { createApiClient, hashOf } from '../support/http/api-client.ts'

let running: Sluice | undefined
afterEach(() => running?.stop())

const workspace = (id: string) => ({
  id,
  accessTokens: [{ name: 'all', token: hashOf(`${id}-all`), scopes: ['read', 'write', 'operate', 'admin'] as const }],
  sources: [{ id: 's', writeKey: `${id}-key` }],
  destinations: [{ id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'https://hook.test/' } }],
  connections: [{ source: 's', destination: 'hook' }],
})

async function start(options: Partial<SluiceOptions> = {}): Promise<Sluice> {
  running = await createSluice({
    workspace: { workspaces: [workspace('a'), workspace('b')] },
    transport: createRecordingTransport(() => reply(400, 'no')),
    sandbox: { mode: 'in-process' },
    ...options,
  })
  return running
}

/** Returns how many turns the event loop had while `work` ran: without slices, a call that finds all in memory has one. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}

describe('a change of the configuration costs what it changes', () => {
  const destinations = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      action: 'create' as const,
      kind: 'destination' as const,
      id: `d${from + i}`,
      body: { type: 'WEBHOOK', settings: { webhookUrl: 'https://hook.test/' } },
    }))

  it('builds the paths of the destinations that changed, and no others, however many there are', async () => {
    let built = 0
    const sluice = await start({
      stages: {
        perDestination: () => {
          built += 1
          return []
        },
      },
    })
    const builtBy = async (workspaceId: string, changes: Parameters<Sluice['configuration']['change']>[1]) => {
      built = 0
      expect(await sluice.configuration.change(workspaceId, changes)).toMatchObject({ ok: true })
      return built
    }
    expect(await builtBy('a', destinations(0, 300))).toBe(300)
    expect(await builtBy('a', destinations(300, 1))).toBe(1)
    expect(
      await builtBy('a', [{ action: 'put', kind: 'connection', id: 'c', body: { source: 's', destination: 'd7' } }]),
    ).toBe(0)
    expect(await builtBy('b', destinations(0, 1))).toBe(1)
    expect(await builtBy('a', [{ action: 'delete', kind: 'destination', id: 'd8' }])).toBe(0)
  })

  it('gives other calls their turn while thousands of records are parsed', async () => {
    const sluice = await start()
    const changes = Array.from({ length: 5_000 }, (_, i) => ({
      action: 'create' as const,
      kind: 'source' as const,
      id: `s${i}`,
      body: { name: `source ${i}` },
    }))
    expect(await turnsOf(() => sluice.configuration.change('a', changes))).toBeGreaterThan(20)
    expect(sluice.workspaces[0]?.sources).toHaveLength(5_001)
  })
})

describe('one call gives others their turn', () => {
  it('that carries 19,000 events, which become batches of at most 2,000', async () => {
    const sluice = await start()
    const batch = Array.from({ length: 19_000 }, (_, i) => ({
      type: 'track',
      event: 'E',
      userId: 'u',
      messageId: `m${i}`,
    }))
    let result: Awaited<ReturnType<Sluice['ingest']>> | undefined
    const turns = await turnsOf(async () => {
      result = await sluice.ingest('a-key', batch)
    })
    expect(result).toMatchObject({ ok: true })
    expect(result?.ok && result.messageIds).toEqual(batch.map(({ messageId }) => messageId))
    expect(turns).toBeGreaterThan(20)
  })

  it('that is refused for 80,000 different names of members, before they are parsed', async () => {
    const sluice = await start()
    const api = await createApiClient(sluice, `Basic ${Buffer.from('a-key:').toString('base64')}`)
    const properties = Object.fromEntries(Array.from({ length: 80_000 }, (_, i) => [`key ${i}`, i]))
    const answer = await api.post('/v1/track', { userId: 'u', event: 'E', properties })
    expect(answer.status).toBe(413)
    expect(answer.text).toContain('10000 different names of members; send it in parts')
  })

  it('that lists masked dead letters with large texts: pages end early, and what is far too large is hidden whole', async () => {
    const sluice = await start()
    const api = await createApiClient(sluice, 'Bearer a-all')
    const text = 'write to ann@example.test '.repeat(4_000)
    const batch = Array.from({ length: 30 }, (_, i) => ({
      type: 'track',
      event: 'E',
      userId: 'u',
      messageId: `m${i}`,
      properties: { text: i === 0 ? text.repeat(4) : text },
    }))
    expect(await sluice.ingest('a-key', batch)).toMatchObject({ ok: true })
    await sluice.settled()
    const seen: string[] = []
    let pages = 0
    for (let path = '/v2/dead-letters?masked=true&limit=100'; path !== ''; pages += 1) {
      const { body, text: answer } = await api.get(path)
      expect(answer).not.toContain('ann@')
      expect(answer.length).toBeLessThan(2 * 1_024 * 1_024)
      const { data, paging } = body as unknown as { data: { messageId: string }[]; paging: { next?: string } }
      seen.push(...data.map(({ messageId }) => messageId))
      path = paging.next ?? ''
    }
    expect(new Set(seen).size).toBe(30)
    expect(seen).toHaveLength(30)
    expect(pages).toBeGreaterThan(1)
  })

  it('that reports a user whose log is in memory', async () => {
    const sluice = await start()
    const api = await createApiClient(sluice, 'Bearer a-all')
    const batch = Array.from({ length: 19_000 }, (_, i) => ({ type: 'track', event: 'E', userId: `u${i % 7}` }))
    expect(await sluice.ingest('a-key', batch)).toMatchObject({ ok: true })
    expect(await turnsOf(() => api.get('/v2/users/u1/report'))).toBeGreaterThan(9)
  })
})

it('open routes answer with bytes that were made before', async () => {
  const sluice = await start()
  for (const path of ['/openapi.json', '/destination-definitions']) {
    const [first, second] = await Promise.all([
      sluice.fetch(new Request(`http://x${path}`)),
      sluice.fetch(new Request(`http://x${path}`)),
    ])
    expect(first.headers.get('content-type')).toBe('application/json')
    expect(await first.text()).toBe(await second.text())
  }
})

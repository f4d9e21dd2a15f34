import { gzipSync } from 'node:zlib'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { createSluice, type Sluice, type SluiceOptions } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ApiClient, basic, createApiClient, hashOf } from '../support/http/api-client.ts'
import { openTap, type TapReader } from '../support/http/tap-reader.ts'

const scopes = ['read', 'write', 'operate'] as const

/** Two workspaces that use the same ids for everything except their write keys and tokens. */
function workspace(id: string) {
  return {
    id,
    accessTokens: scopes.map((scope) => ({ name: scope, token: hashOf(`${scope}-${id}`), scopes: [scope] })),
    sources: [{ id: 'web', writeKey: `key-${id}` }],
    destinations: [{ id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: `http://${id}.test/` } }],
    connections: [{ source: 'web', destination: 'hook' }],
  }
}

let sluice: Sluice
let api: ApiClient
const taps: TapReader[] = []

async function start(more: Partial<SluiceOptions> = {}): Promise<void> {
  sluice = await createSluice({
    workspace: { workspaces: [workspace('a'), workspace('b')] },
    // Refused deliveries fail at once.
    transport: createRecordingTransport(() => reply(422)),
    admin: { user: 'admin', password: 'password' },
    sandbox: { mode: 'in-process' },
    deadLetterLimits: { lettersMax: 300 },
    receipts: 300,
    ...more,
  })
  api = await createApiClient(sluice, 'Bearer operate-b')
}
beforeEach(() => start())
afterEach(async () => {
  for (const tap of taps.splice(0)) await tap.leave()
  await sluice.stop()
})

/** Needs only a write key, which is public in a web page. */
async function post(id: string, batch: readonly object[]): Promise<number> {
  const body = gzipSync(JSON.stringify({ batch }))
  const headers = { authorization: basic(`key-${id}`, '') }
  return (await sluice.fetch(new Request('http://x/v1/batch', { method: 'POST', headers, body }))).status
}
const track = (messageId: string) => ({ type: 'track', event: 'Seen', userId: `u-${messageId}`, messageId })
const tracks = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => track(`${prefix}-${n}`))
const lettersOf = async (id: string): Promise<number> => {
  const { body } = await api.as(`Bearer operate-${id}`).get('/v2/dead-letters?limit=1000&masked=true')
  return (body['data'] as readonly unknown[]).length
}
interface Budget {
  readonly budget: string
  readonly used: number
  readonly limit?: number
  readonly reserved?: number
}
async function usageOf(authorization: string, query = '') {
  const { status, body } = await api.as(authorization).get(`/v1/usage${query}`)
  const listed = (body['workspaces'] ?? []) as readonly { workspaceId: string; budgets: readonly Budget[] }[]
  return { status, ids: listed.map(({ workspaceId }) => workspaceId), budgets: listed[0]?.budgets ?? [] }
}
const budget = ({ budgets }: { budgets: readonly Budget[] }, name: string) =>
  budgets.find((each) => each.budget === name)

describe('a workspace that is flooded with events', () => {
  it('through its public write key does not cost another workspace any dead letters or receipts', async () => {
    expect(await post('b', tracks('mine', 100))).toBe(200)
    await sluice.settled()
    for (let round = 0; round < 5; round += 1) expect(await post('a', tracks(`flood-${round}`, 200))).toBe(200)
    await sluice.settled()
    expect([await lettersOf('a'), await lettersOf('b')]).toEqual([200, 100])
    for (const messageId of ['mine-0', 'mine-99']) expect(await sluice.receipts(messageId, 'b')).toHaveLength(1)
    expect(await sluice.receipts('flood-0-0', 'a')).toHaveLength(0)
    expect(await sluice.receipts('flood-4-199', 'a')).toHaveLength(1)
    expect((await sluice.stats('b'))[0]?.destinations[0]?.forgotten).toEqual({})
    expect((await sluice.stats('a'))[0]?.destinations[0]?.forgotten).toEqual({ letters: 800 })
    // What b adds replaces what a has borrowed, until both have an equal share.
    expect(await post('b', tracks('more', 60))).toBe(200)
    await sluice.settled()
    expect([await lettersOf('a'), await lettersOf('b')]).toEqual([150, 150])
  })

  it('by a token with the scope operate does not stop others from watching: the workspace with the most taps loses one', async () => {
    const open = async (id: string) => {
      const tap = await openTap(sluice, '', `Bearer operate-${id}`)
      taps.push(tap)
      return tap
    }
    const theirs = await Promise.all(Array.from({ length: 16 }, () => open('a')))
    expect(theirs.map(({ status }) => status)).toEqual(theirs.map(() => 200))
    expect((await open('a')).status).toBe(503)
    const mine = await Promise.all(Array.from({ length: 8 }, () => open('b')))
    expect(mine.map(({ status }) => status)).toEqual(mine.map(() => 200))
    await Promise.all(theirs.slice(0, 8).map(({ ended }) => ended))
    for (const id of ['a', 'b']) expect((await open(id)).status).toBe(503)
    await post('b', [track('seen')])
    await sluice.settled()
    await eventually(() => mine.map(({ entries }) => entries.length)).toEqual(mine.map(() => 2))
    expect(theirs.map(({ entries }) => entries.length)).toEqual(theirs.map(() => 0))
    expect(budget(await usageOf('Bearer operate-b'), 'taps')).toMatchObject({ used: 8, limit: 16, reserved: 8 })
  })
})

describe('/v1/usage', () => {
  it('shows a workspace its own use of each shared budget, and nothing about the use of others', async () => {
    await post('b', tracks('mine', 3))
    await sluice.settled()
    const before = await usageOf('Bearer operate-b')
    expect(before.ids).toEqual(['b'])
    expect(before.budgets.map((each) => each.budget)).toEqual([
      'bodies',
      'log',
      'deadLetters',
      'deadLetterBytes',
      'receipts',
      'taps',
      'schemaValues',
    ])
    expect(budget(before, 'deadLetters')).toEqual({
      budget: 'deadLetters',
      unit: 'count',
      used: 3,
      limit: 300,
      reserved: 150,
    })
    expect(budget(before, 'receipts')).toMatchObject({ used: 3, limit: 300 })
    expect(budget(before, 'log')?.used).toBeGreaterThan(100)
    expect(budget(before, 'schemaValues')?.used).toBeGreaterThan(100)
    const metrics = async () =>
      (await api.get('/metrics')).text.split('\n').filter((line) => /budget|letters/.test(line))
    const seen = await metrics()
    expect(seen).toContain('sluice_budget_used{workspace="b",budget="deadLetters",unit="count"} 3')
    expect(seen.join()).not.toContain('workspace="a"')

    await post('a', tracks('flood', 100))
    await sluice.settled()
    expect(await usageOf('Bearer operate-b')).toEqual(before)
    expect(await metrics()).toEqual(seen)
    expect(await sluice.usage('b')).toEqual(before.budgets)
  })

  it('is open only to the scope operate, for its own workspace, and to admin credentials', async () => {
    for (const scope of ['read', 'write']) expect((await usageOf(`Bearer ${scope}-a`)).status).toBe(403)
    expect((await usageOf(basic('key-a', ''))).status).toBe(401)
    expect((await usageOf('Bearer operate-a', '?workspaceId=b')).status).toBe(404)
    expect((await usageOf('Bearer operate-a')).ids).toEqual(['a'])
    expect((await usageOf(basic('admin', 'password'))).ids).toEqual(['a', 'b'])
    expect((await usageOf(basic('admin', 'password'), '?workspaceId=b')).ids).toEqual(['b'])
  })
})

import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashOf } from '../support/http/api-client.ts'
import { documented } from '../support/http/documented.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

let sluice: Sluice
let receiver: Receiver

/** Two workspaces that use the same ids for everything except their write keys and tokens. */
function workspace(id: string) {
  return {
    id,
    accessTokens: [{ name: 'token', token: hashOf(`token-${id}`) }],
    sources: [{ id: 'web', name: `web of ${id}`, writeKey: `key-${id}` }],
    destinations: [
      {
        id: 'hook',
        name: `hook of ${id}`,
        type: 'WEBHOOK' as const,
        settings: { webhookUrl: `${receiver.url}/${id}` },
      },
    ],
    connections: [{ source: 'web', destination: 'hook' }],
  }
}

beforeEach(async () => {
  receiver = await startReceiver()
  sluice = await createSluice({
    workspace: { workspaces: [workspace('a'), workspace('b')] },
    allowAddresses: ['localhost'],
  })
})

afterEach(async () => {
  await sluice.stop()
  await receiver.close()
})

const event = { type: 'track', event: 'Seen', userId: 'u1', messageId: 'm1' }

describe('two workspaces in one process', () => {
  it('ingestion: events go only to the destinations of their own workspace', async () => {
    await sluice.ingest('key-a', [event])
    await sluice.settled()
    expect(receiver.received.map(({ path }) => path)).toEqual(['/a'])
  })

  it('counts and receipts: neither sees those of the other', async () => {
    await sluice.ingest('key-a', [event])
    await sluice.settled()
    expect(await sluice.stats('a')).toHaveLength(1)
    expect(await sluice.stats('b')).toEqual([])
    expect(await sluice.receipts('m1', 'a')).toHaveLength(1)
    expect(await sluice.receipts('m1', 'b')).toEqual([])
    await expect(sluice.receipts('m1')).rejects.toThrow('name one by its id')
  })

  it('regulations: a regulation of one suppresses nothing of the other, and cannot be cancelled from there', async () => {
    const [regulation] = await sluice.regulations.create('a', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    await sluice.ingest('key-a', [event])
    await sluice.ingest('key-b', [event])
    await sluice.settled()
    expect(receiver.received.map(({ path }) => path)).toEqual(['/b'])
    expect(await sluice.regulations.list('b', { limit: 10 })).toEqual({ regulations: [] })
    expect(await sluice.regulations.cancel('b', regulation?.id ?? '')).toBe(false)
    expect(await sluice.regulations.cancel('a', regulation?.id ?? '')).toBe(true)
  })

  it('configuration: a token lists only its own workspace', async () => {
    const api = await documented(sluice)
    for (const [own, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const headers = { authorization: `Bearer token-${own}` }
      for (const path of ['/v2/sources', '/v2/destinations']) {
        const text = await (await api.fetch(new Request(`http://x${path}`, { headers }))).text()
        expect(text).toContain(` of ${own}`)
        expect(text).not.toContain(` of ${other}`)
      }
    }
  })
})

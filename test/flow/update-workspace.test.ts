import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import type { Transport } from '@sluice/delivery'
import type { Cluster } from '@sluice/pipeline'
import { createMemoryStore, openSqliteStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

let receiver: Receiver
let sluice: Sluice

beforeEach(async () => {
  receiver = await startReceiver()
  sluice = await createSluice({ workspace: shop(`${receiver.url}/old`), allowAddresses: ['localhost'] })
})

afterEach(async () => {
  await sluice.stop()
  await receiver.close()
})

const track = (event: string) => sluice.ingest('web-key', [{ type: 'track', event, userId: 'u1', messageId: event }])
const arrived = (): readonly string[] => receiver.received.map(({ path, body }) => `${path} ${JSON.parse(body).event}`)

describe('updating the workspace', () => {
  it('sends later events with the new settings', async () => {
    await track('before')
    await sluice.settled()
    await sluice.updateWorkspace(shop(`${receiver.url}/new`))
    await track('after')
    await sluice.settled()
    expect(arrived()).toEqual(['/old before', '/new after'])
  })

  const wrong = [
    { name: 'a setting', workspace: shop('nonsense') },
    {
      name: 'a connection',
      workspace: shop('http://x.test', { connections: [{ source: 'web', destination: 'gone' }] }),
    },
    {
      name: 'the code of a transformation',
      workspace: shop('http://x.test', {
        sources: [{ id: 'web', writeKey: 'another-key' }],
        destinations: [
          {
            id: 'hook',
            type: 'WEBHOOK',
            settings: { webhookUrl: 'http://x.test' },
            transformation: { code: 'export const = 1' },
          },
        ],
      }),
    },
  ]
  for (const { name, workspace } of wrong) {
    it(`changes nothing when ${name} is wrong`, async () => {
      await expect(sluice.updateWorkspace(workspace)).rejects.toThrow(/hook|webhookUrl|destination/)
      expect((await track('still')).ok).toBe(true)
      await sluice.settled()
      expect(arrived()).toEqual(['/old still'])
    })
  }

  it('gives a new destination the events from then on, and no earlier ones', async () => {
    await track('before')
    await sluice.settled()
    const second = { id: 'second', type: 'WEBHOOK' as const, settings: { webhookUrl: `${receiver.url}/second` } }
    const { destinations, connections } = shop(`${receiver.url}/old`)
    await sluice.updateWorkspace(
      shop('', {
        destinations: [...destinations, second],
        connections: [...connections, { source: 'web', destination: 'second' }],
      }),
    )
    await track('after')
    await sluice.settled()
    expect(arrived().filter((line) => line.startsWith('/second'))).toEqual(['/second after'])
  })

  it('ends events that wait for a removed destination: nothing stays pending for ever', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await sluice.stop()
    sluice = await createSluice({
      workspace: shop('http://slow.test/'),
      transport: {
        send: async () => {
          await held
          return { kind: 'reply', status: 200, headers: {}, body: '' }
        },
      },
    })
    await track('under way')
    await track('waiting')
    await sluice.updateWorkspace(shop('', { destinations: [], connections: [] }))
    release()
    let pending = Number.NaN
    while (pending !== 0) {
      const [stats] = await sluice.stats()
      pending = stats?.destinations[0]?.pending ?? Number.NaN
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const [stats] = await sluice.stats()
    expect(stats?.destinations[0]).toMatchObject({ accepted: 2, delivered: expect.any(Number) })
    expect((await sluice.receipts('waiting')).map(({ outcome }) => outcome)).toEqual([
      expect.stringMatching(/delivered|failed/),
    ])
    const result = await track('without destinations')
    expect(result.ok).toBe(true)
    await sluice.settled()
  })

  it('keeps a destination that is removed and added again while an event is under way', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await sluice.stop()
    const transport: Transport = {
      send: async () => {
        await held
        return { kind: 'reply', status: 200, headers: {}, body: '' }
      },
    }
    sluice = await createSluice({ workspace: shop('http://slow.test/'), transport })
    const without = shop('', { destinations: [], connections: [] })
    await track('one')
    await sluice.updateWorkspace(without)
    const back = sluice.updateWorkspace(shop('http://slow.test/'))
    await Promise.all([back, sluice.updateWorkspace(without), sluice.updateWorkspace(shop('http://slow.test/'))])
    await track('two')
    release()
    await track('three')
    await sluice.settled()
    const [stats] = await sluice.stats()
    expect(stats?.destinations[0]).toMatchObject({ accepted: 3, pending: 0 })
    await sluice.updateWorkspace(without)
    await sluice.updateWorkspace(shop('http://slow.test/'))
    await track('four')
    await sluice.settled()
    expect((await sluice.stats())[0]?.destinations[0]).toMatchObject({ accepted: 4, pending: 0 })
  })

  it('keeps a destination that is added again while its removal asks other processes', async () => {
    await sluice.stop()
    const memory = createMemoryStore({ clock: systemClock, random: systemRandom })
    /** Turns of the event loop that an answer of the other processes takes. */
    const agreeing = 12
    const turns = async (count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    }
    const cluster: Cluster = {
      join: async () => {},
      handOver: async () => {},
      isServing: true,
      hasUnconfirmedLoss: false,
      isLeader: true,
      defined: async () => {},
      agrees: async () => {
        await turns(agreeing)
        return true
      },
      newerRoutes: undefined,
      measures: { lanes: 1, takenOver: 0, refused: 0, unknown: 0, otherDefinitions: 0, leaseLeftMs: 1_000, nodes: 1 },
      applied: async () => {},
      passed: async () => {},
      tryNow: () => {},
    }
    const workspace = shop(`${receiver.url}/old`)
    sluice = await createSluice({ workspace, store: { ...memory, cluster }, allowAddresses: ['localhost'] })
    // Added again before the other processes agree, at every moment of that, and after it.
    for (let waited = 0; waited < 2 * agreeing; waited += 3) {
      await sluice.updateWorkspace(shop('', { destinations: [], connections: [] }))
      await turns(waited)
      await sluice.updateWorkspace(workspace)
      await turns(2 * agreeing)
      await track(`after ${waited} turns`)
      await sluice.settled()
      expect(arrived().at(-1)).toBe(`/old after ${waited} turns`)
    }
  })

  it('ends the pending events of a removed workspace when the process starts again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-gone-'))
    const open = () =>
      openSqliteStore({
        path: join(folder, 'sluice.db'),
        clock: systemClock,
        random: systemRandom,
        synchronous: 'normal',
      })
    const never: Transport = {
      send: (_, { signal }) => once(signal, 'abort').then(() => Promise.reject(signal.reason)),
    }
    const first = await createSluice({ workspace: shop('http://never.test/'), store: await open(), transport: never })
    await first.ingest('web-key', [{ type: 'track', userId: 'u', messageId: 'm' }])
    await first.stop(0)
    const other = shop('http://x.test/', { id: 'other' })
    const second = await createSluice({ workspace: other, store: await open(), transport: never })
    let pending = 1
    while (pending !== 0) {
      const [stats] = await second.stats('shop')
      pending = stats?.destinations[0]?.pending ?? 0
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(await second.receipts('m', 'shop')).toMatchObject([{ outcome: 'failed', code: 'destination.gone' }])
    await second.stop()
    rmSync(folder, { recursive: true })
  })

  it('adds and removes workspaces', async () => {
    const other = shop(`${receiver.url}/other`, { id: 'other', sources: [{ id: 'web', writeKey: 'other-key' }] })
    await sluice.updateWorkspace({ workspaces: [shop(`${receiver.url}/old`), other] })
    expect((await sluice.ingest('other-key', [{ type: 'track', event: 'x', userId: 'u' }])).ok).toBe(true)
    await sluice.settled()
    await sluice.updateWorkspace(shop(`${receiver.url}/old`))
    expect(await sluice.ingest('other-key', [{ type: 'track', userId: 'u' }])).toMatchObject({
      code: 'writeKeyUnknown',
    })
    expect(sluice.workspaces.map(({ id }) => id)).toEqual(['shop'])
    expect(arrived()).toEqual(['/other x'])
  })
})

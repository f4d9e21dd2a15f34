import { createManualClock, createSeededRandom, systemClock } from '@sluice/core'
import { createTransport } from '@sluice/delivery'
import {
  createRegulations,
  createSuppressionIndex,
  createSuppressStage,
  type RegulatedWorkspace,
  type RegulationStore,
  SuppressionUnavailableError,
} from '@sluice/regulation'
import { createMemoryStore } from '@sluice/storage'
import fc from 'fast-check'
import { createSluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { migratedStores } from '../support/databases/migrated-store.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'
import { conformanceJson, hasConformance } from '../support/texts/conformance.ts'

const clock = createManualClock()
const sources = ['s1', 's2', 's3']
const workspace = (): RegulatedWorkspace => ({ sourceIds: new Set(sources), destinations: new Map() })

function over(store: RegulationStore, seed = 3) {
  const random = createSeededRandom(seed)
  const index = createSuppressionIndex({ store, clock, random })
  return { index, regulations: createRegulations({ store, index, clock, random, workspace }) }
}
const stores = {
  memory: async () => createMemoryStore({ clock, random: createSeededRandom(1) }),
  SQLite: migratedStores({ clock, random: createSeededRandom(1) }),
}

describe.each(Object.entries(stores))('the suppression index over the %s store', (_, open) => {
  it('equals the union of the active regulations, also when it is rebuilt at any moment', async () => {
    const users = ['u1', 'u2', 'u3']
    const workspaces = ['w1', 'w2']
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('create' as const),
        workspaceId: fc.constantFrom(...workspaces),
        userId: fc.constantFrom(...users),
        sourceIds: fc.subarray(sources),
      }),
      fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(20) }),
      fc.record({ kind: fc.constant('reopen' as const), keeps: fc.boolean() }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const store = await open()
        // A different seed each time: ids must differ although the clock does not advance.
        let seed = 100
        let { index, regulations } = over(store.regulations, seed)
        const created: { id: string; workspaceId: string; userId: string; sourceIds: string[]; active: boolean }[] = []
        for (const each of steps) {
          if (each.kind === 'create') {
            const { workspaceId, userId, sourceIds } = each
            const named = sourceIds.length > 0 ? { sourceIds } : {}
            const request = { regulationType: 'suppress', ...named, users: [{ userId }] } as const
            const [made] = await regulations.create(workspaceId, request)
            created.push({ id: made?.id ?? '', workspaceId, userId, sourceIds, active: true })
          } else if (each.kind === 'cancel') {
            const target = created[each.which % Math.max(1, created.length)]
            if (target) await regulations.cancel(target.workspaceId, target.id)
            if (target) target.active = false
          } else {
            if (each.keeps) await index.close()
            seed += 1
            ;({ index, regulations } = over(store.regulations, seed))
            await index.catchUp()
          }
          const questions = workspaces.flatMap((workspaceId) =>
            sources.flatMap((sourceId) => users.map((userId) => ({ workspaceId, sourceId, userId }))),
          )
          const expected = questions.map(({ workspaceId, sourceId, userId }) =>
            created.some(
              (one) =>
                one.active &&
                one.workspaceId === workspaceId &&
                one.userId === userId &&
                (one.sourceIds.length === 0 || one.sourceIds.includes(sourceId)),
            ),
          )
          if (each.kind !== 'reopen' || created.length > 0) await index.catchUp()
          expect(await index.check(questions)).toEqual(expected)
        }
        await store.close()
      }),
      { numRuns: 60 },
    )
  })

  it('follows many concurrent changes', async () => {
    const store = await open()
    const { index, regulations } = over(store.regulations)
    const userIds = Array.from({ length: 50 }, (_, i) => `u${i}`)
    const created = await Promise.all(
      userIds.map((userId) => regulations.create('w', { regulationType: 'suppress', users: [{ userId }] })),
    )
    const questions = userIds.map((userId) => ({ workspaceId: 'w', sourceId: 's1', userId }))
    expect(await index.check(questions)).toEqual(userIds.map(() => true))
    await Promise.all(created.map(([one]) => regulations.cancel('w', one?.id ?? '')))
    expect(await index.check(questions)).toEqual(userIds.map(() => false))
    expect(index.size).toBe(0)
    await store.close()
  })

  it('is stored as bytes without any user id, and is loaded from them', async () => {
    const store = await open()
    const first = over(store.regulations)
    const users = Array.from({ length: 12_000 }, (_, i) => ({ userId: `canary-${i}` }))
    for (let start = 0; start < users.length; start += 4_000)
      await first.regulations.create('w', { regulationType: 'suppress', users: users.slice(start, start + 4_000) })
    // This many changes make it store itself.
    expect((await store.regulations.changes(0, 20_000)).length).toBeLessThan(12_000)
    await first.index.close()
    expect(await store.regulations.changes(0, 10)).toEqual([])
    for (const number of await store.regulations.index.numbers()) {
      const segment = await store.regulations.index.read(number)
      expect(Buffer.from(segment?.bytes ?? []).includes('canary')).toBe(false)
    }
    const second = over(store.regulations, 8)
    await second.index.catchUp()
    expect(second.index.size).toBe(12_000)
    const questions = users.map(({ userId }) => ({ workspaceId: 'w', sourceId: 's', userId }))
    expect((await second.index.check(questions)).every((suppressed) => suppressed)).toBe(true)
    await store.close()
  })

  it('is rebuilt from the regulations when the stored bytes are damaged', async () => {
    const store = await open()
    const first = over(store.regulations)
    await first.regulations.create('w', { regulationType: 'suppress', users: [{ userId: 'u1' }, { userId: 'u2' }] })
    await first.index.close()
    const [number = 0] = await store.regulations.index.numbers()
    await store.regulations.index.write({ number, position: 1, bytes: Uint8Array.of(1, 2, 3) })
    const errors: unknown[] = []
    const random = createSeededRandom(5)
    const index = createSuppressionIndex({
      store: store.regulations,
      clock,
      random,
      onError: (error) => errors.push(error),
    })
    await index.catchUp()
    const asked = ['u1', 'u2', 'u3'].map((userId) => ({ workspaceId: 'w', sourceId: 's', userId }))
    expect(await index.check(asked)).toEqual([true, true, false])
    expect(String(errors[0])).toContain('damaged')
    await store.close()
  })
})

interface Step {
  readonly op: string
  readonly suppressions?: readonly { workspaceId: string; userId: string; sourceIds: string[]; canceled: boolean }[]
  readonly workspaceId: string
  readonly userId: string
  readonly sourceId: string
  readonly expect?: boolean
}

it.skipIf(!hasConformance)(
  'agrees with the recorded scenario of RudderStack, where each suppression is a regulation',
  async () => {
    const { steps } = conformanceJson('governance/suppression/repository_scenario.json') as { steps: readonly Step[] }
    const store = await stores.memory()
    const random = createSeededRandom(3)
    const index = createSuppressionIndex({ store: store.regulations, clock, random })
    const known = { has: () => true } as unknown as ReadonlySet<string>
    const regulations = createRegulations({
      store: store.regulations,
      index,
      clock,
      random,
      workspace: () => ({ sourceIds: known, destinations: new Map() }),
    })
    const ids = new Map<string, string>()
    for (const { op, suppressions = [], expect: expected, ...asked } of steps) {
      for (const { canceled, workspaceId, userId, sourceIds } of suppressions) {
        const key = JSON.stringify([workspaceId, userId, sourceIds])
        if (canceled) await regulations.cancel(workspaceId, ids.get(key) ?? '')
        else {
          const [made] = await regulations.create(workspaceId, {
            regulationType: 'suppress',
            // In RudderStack, an empty list means all sources.
            sourceIds: sourceIds.length > 0 ? sourceIds : undefined,
            users: [{ userId }],
          })
          ids.set(key, made?.id ?? '')
        }
      }
      if (op === 'suppressed') expect(await index.check([asked])).toEqual([expected])
    }
  },
)

describe('while suppressed users are not known', () => {
  /** A store whose regulations cannot be read while it is broken. */
  async function breakable() {
    const store = await stores.memory()
    const state = { isBroken: true }
    const regulations: RegulationStore = {
      ...store.regulations,
      changes: async (after, limit) => {
        if (state.isBroken) throw new Error('disk error')
        return store.regulations.changes(after, limit)
      },
    }
    return { store: { ...store, regulations }, state }
  }
  const event = { type: 'track', event: 'E', userId: 'u1' }

  it('events are refused with 503 and Retry-After, health reports it, and events are accepted once the users are known', async () => {
    const { store, state } = await breakable()
    const manual = createManualClock()
    const sluice = await createSluice({ workspace: shop('http://hook.test/'), store, clock: manual, onError: () => {} })
    const send = () =>
      sluice.fetch(
        new Request('http://x/v1/track', {
          method: 'POST',
          headers: { authorization: `Basic ${Buffer.from('web-key:').toString('base64')}` },
          body: JSON.stringify(event),
        }),
      )
    const refused = await send()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
    const health = await sluice.fetch(new Request('http://x/health'))
    expect([health.status, await health.json()]).toEqual([
      503,
      { status: 'unavailable', reason: 'suppressionUnavailable' },
    ])
    state.isBroken = false
    manual.advance(2_000)
    await send()
    await eventually(async () => (await send()).status).toBe(200)
    expect((await sluice.fetch(new Request('http://x/health'))).status).toBe(200)
    await sluice.stop()
  })

  it('events pass when that option is chosen', async () => {
    const { store } = await breakable()
    const sluice = await createSluice({
      workspace: shop('http://hook.test/'),
      store,
      onSuppressionUnavailable: 'pass',
      onError: () => {},
    })
    expect((await sluice.ingest('web-key', [event])).ok).toBe(true)
    await sluice.stop(0)
  })

  it('creating a regulation is answered with an error, although it is stored and applies later', async () => {
    const { store, state } = await breakable()
    const { index, regulations } = over(store.regulations)
    await expect(regulations.create('w', { regulationType: 'suppress', users: [{ userId: 'u1' }] })).rejects.toThrow(
      SuppressionUnavailableError,
    )
    const stage = createSuppressStage(index)
    const item = { workspaceId: 'w', sourceId: 's1', writeKey: 'k', event }
    await expect(stage.run([item], new AbortController().signal)).rejects.toThrow(SuppressionUnavailableError)
    state.isBroken = false
    await index.catchUp()
    expect(await stage.run([item], new AbortController().signal)).toMatchObject([
      { kind: 'drop', reason: 'suppressed' },
    ])
  })
})

it('a request that waits for its connection is held back by a regulation that is answered meanwhile', async () => {
  let release = (): void => {}
  const receiver = await startReceiver(
    (_, response) =>
      new Promise((resolve) => {
        release = () => resolve(response.writeHead(200).end())
      }),
  )
  const http = { connectionsPerOriginMax: 1 }
  const transport = createTransport({ clock: systemClock, allowAddresses: ['localhost'], http })
  let sent = 0
  const counting: typeof transport = {
    ...transport,
    send(request, options) {
      sent += 1
      return transport.send(request, options)
    },
  }
  const sluice = await createSluice({ workspace: shop(receiver.url), transport: counting })
  const events = ['first', 'gone'].map((userId) => ({ type: 'track', event: 'E', userId, messageId: userId }))
  await sluice.ingest('web-key', events)
  await eventually(() => [receiver.received.length, sent]).toEqual([1, 2])
  await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'gone' }] })
  release()
  await sluice.settled()
  expect(receiver.received.length).toBe(1)
  expect(await sluice.metrics('shop')).toMatch(/sluice_destination_dropped_total\{[^}]*reason="suppressed"[^}]*\} 1\b/)
  await sluice.stop()
  await transport.close()
  await receiver.close()
})

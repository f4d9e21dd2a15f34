import { createManualClock, systemClock, systemRandom } from '@sluice/core'
import { type Answer, reply } from '@sluice/delivery'
import type { Store } from '@sluice/pipeline'
import { createMemoryStore } from '@sluice/storage'
import type { Sluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { migratedStores } from '../support/databases/migrated-store.ts'
import { eventually } from '../support/eventually.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

/** Gives each event a new message id, so that no output can be traced to one input. */
const newIds = `export const transformBatch = (events) =>
  events.map((event) => ({ ...event, messageId: 'new-' + event.messageId }))`
/** Makes one event of a batch. */
const summary = `export const transformBatch = (events) =>
  [{ type: 'track', event: 'Summary', messageId: 'sum', properties: { seen: events.map(({ properties }) => properties.note) } }]`
/** Gives the event of one user to another, and keeps its message id. */
const otherUser = `export const transformEvent = (event) => ({ ...event, userId: 'v2' })`

const workspace = (code: string) => ({
  id: 'w1',
  sources: [{ id: 's1', writeKey: 'k1' }],
  destinations: [
    {
      id: 'hook',
      type: 'WEBHOOK',
      settings: { webhookUrl: 'http://hook.test/in' },
      transformation: { name: 't', code },
    },
  ],
  connections: [{ source: 's1', destination: 'hook' }],
})
const track = (userId: string) => ({ type: 'track', event: 'E', userId, properties: { note: `canary-${userId}` } })
const serve = serveWorkspaces({ clock: systemClock })
const stores = {
  memory: async () => createMemoryStore({ clock: createManualClock(), random: systemRandom }),
  SQLite: migratedStores({ clock: createManualClock(), random: systemRandom }),
}

describe.each(Object.entries(stores))(
  'outputs of a batch that no input can be named for, over the %s store',
  (_, open) => {
    async function start(code: string, answer: Answer) {
      const store: Store = await open()
      const { sluice, transport } = await serve({
        workspace: workspace(code),
        store,
        answer,
        delivery: { retry: { attemptsMax: 1, baseMs: 1, capMs: 1 } },
        retries: { backoff: { baseMs: 1, capMs: 1 } },
      })
      return { sluice, store, sent: () => JSON.stringify(transport.requests) }
    }
    const letters = async (store: Store) => JSON.stringify(await store.deadLetters.list('w1', { limit: 100 }))
    const waiting = async (store: Store) => {
      const entries = await store.retries.entries('w1', 'hook')
      return JSON.stringify(
        await store.retries.read(
          'w1',
          entries.map(({ id }) => id),
        ),
      )
    }
    async function erase(sluice: Sluice, userId: string) {
      const [regulation] = await sluice.regulations.create('w1', {
        regulationType: 'suppress_with_delete',
        users: [{ userId }],
      })
      const ofSluice = async () => (await sluice.deletions.ofRegulation('w1', regulation?.id ?? ''))[0]?.status
      await eventually(ofSluice).toBe('complete')
    }

    for (const [what, code] of [
      ['gives every event a new message id', newIds],
      ['makes one event of many', summary],
      ['gives an event another user', otherUser],
    ] as const) {
      it(`${what}: what waits is not sent after a regulation of any of the users`, async () => {
        let status = 503
        const { sluice, store, sent } = await start(code, () => reply(status))
        await sluice.ingest('k1', [track('v1'), track('v2')])
        await eventually(async () => (await store.retries.ofUser('w1', 'v2')).length).toBeGreaterThan(0)
        await sluice.regulations.create('w1', { regulationType: 'suppress', users: [{ userId: 'v2' }] })
        const before = sent().split('canary-v2').length
        status = 200
        await sluice.settled()
        expect(sent().split('canary-v2')).toHaveLength(before)
        expect(await store.retries.ofUser('w1', 'v1')).toEqual([])
        expect(await letters(store)).not.toContain('canary-v2')
      })

      it(`${what}: no dead letter with data of an erased user is left`, async () => {
        const { sluice, store } = await start(code, () => reply(400))
        await sluice.ingest('k1', [track('v1'), track('v2')])
        await sluice.settled()
        expect(await letters(store)).toContain('canary-v2')
        await erase(sluice, 'v2')
        expect(await letters(store)).not.toContain('canary-v2')
      })

      it(`${what}: nothing that waits with data of an erased user is left`, async () => {
        const { sluice, store } = await start(code, () => reply(503))
        await sluice.ingest('k1', [track('v1'), track('v2')])
        await eventually(() => waiting(store)).toContain('canary-v2')
        await erase(sluice, 'v2')
        expect(await waiting(store)).not.toContain('canary-v2')
        expect(await letters(store)).not.toContain('canary-v2')
      })
    }

    it('keeps what the other users sent, where each output keeps its message id', async () => {
      const { sluice, store } = await start('export const transformBatch = (events) => events', () => reply(400))
      await sluice.ingest('k1', [track('v1'), track('v2')])
      await sluice.settled()
      await erase(sluice, 'v2')
      expect(await letters(store)).toContain('canary-v1')
      expect(await letters(store)).not.toContain('canary-v2')
    })
  },
)

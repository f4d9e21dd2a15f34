import { type JsonObject, systemClock, systemRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { createMemoryStore } from '@sluice/storage'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createSluice } from 'sluice'
import { describe, expect, it } from 'vitest'

/** A store whose log is read when enough is in it, and where the first read after the beginning fails. */
function failingStore(whenToRead: Promise<void>): { readonly store: Store; failures(): number } {
  const store = createMemoryStore({ clock: systemClock, random: systemRandom })
  let failures = 0
  const read: Store['log']['read'] = async (workspaceId, after, limit) => {
    await whenToRead
    if (after > 0 && failures === 0) {
      failures += 1
      throw new Error('disk')
    }
    return store.log.read(workspaceId, after, limit)
  }
  return { store: { ...store, log: { ...store.log, read } }, failures: () => failures }
}

describe('a read of the log that fails while events are being observed', () => {
  it('does not change what the catalogue learns', async () => {
    let begin = (): void => {}
    const { store, failures } = failingStore(new Promise((resolve) => (begin = resolve)))
    const workspace = { id: 'shop', sources: [{ id: 'web', writeKey: 'web-key' }], destinations: [], connections: [] }
    const sluice = await createSluice({ workspace, store, onError: () => {} })
    const events = Array.from(
      { length: 15 },
      (_, i): JsonObject => ({
        type: 'track',
        event: 'Bought',
        userId: 'u1',
        properties: i % 2 === 0 ? { price: 5 } : { price: 'x', list: [] },
      }),
    )
    // One at a time: each is a batch of the log, and the second read comes before the first commit.
    for (const event of events) expect((await sluice.ingest('web-key', [event])).ok).toBe(true)
    begin()
    await sluice.settled()
    expect(failures()).toBe(1)

    const [model] = await sluice.catalogue.models('shop')
    const eventId = model?.eventId ?? ''
    expect(model?.totalCount).toBe(15)
    const metadata = await sluice.catalogue.modelMetadata('shop', eventId)
    expect(metadata?.sampledEvents).toHaveLength(5)
    expect(metadata?.frequentValues['properties.price']).toEqual([
      { value: '5', frequency: 8 / 15 + 0.01 },
      { value: 'x', frequency: 7 / 15 + 0.01 },
    ])
    const accepts = new Ajv2020({ allowUnionTypes: true }).compile(
      (await sluice.catalogue.jsonSchema('shop', eventId)) ?? false,
    )
    for (const { events } of await store.log.read('shop', 0, 100))
      for (const event of events) expect(accepts(event)).toBe(true)
    expect(accepts({ type: 'track' })).toBe(false)
    await sluice.stop()
  })
})

import { systemClock, systemRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { createMemoryStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { shop } from '../support/scenes/shop.ts'

it('a trace finds an event that ends during the look-up', async () => {
  let deliver = (): void => {}
  const delivering = new Promise<void>((resolve) => {
    deliver = resolve
  })
  const transport = createRecordingTransport(async () => {
    await delivering
    return reply(200)
  })
  const store = createMemoryStore({ clock: systemClock, random: systemRandom })
  let beforeCursors = async (): Promise<void> => {}
  const cursors = async (workspaceId: string) => {
    await beforeCursors()
    return store.log.cursors(workspaceId)
  }
  const sluice = await createSluice({
    workspace: shop('http://hook.test/'),
    store: { ...store, log: { ...store.log, cursors } },
    transport,
    sandbox: { mode: 'in-process' },
  })
  await sluice.ingest('web-key', [{ type: 'track', event: 'E', userId: 'u', messageId: 'm' }])
  await eventually(() => transport.requests.length).toBe(1)
  expect(await sluice.trace('m')).toMatchObject({ destinations: [{ outcome: 'pending' }] })
  beforeCursors = async () => {
    deliver()
    await sluice.settled()
  }
  expect(await sluice.trace('m')).toMatchObject({ destinations: [{ outcome: 'delivered' }] })
  await sluice.stop()
})

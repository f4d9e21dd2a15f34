import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { afterAll, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

const folder = await mkdtemp(join(tmpdir(), 'sluice-start-stop-'))
afterAll(() => rm(folder, { recursive: true }))

const counts = () => ({
  files: readdirSync('/proc/self/fd').length,
  threads: readdirSync('/proc/self/task').length,
  listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
})

it('can be started, stopped and started again in one process: no file, thread, listener or timer is left', async () => {
  const receiver = await startReceiver()
  const once = async () => {
    const store = await openSqliteStore({ path: join(folder, 'sluice.db'), clock: systemClock, random: systemRandom })
    const { destinations = [], ...rest } = shop(receiver.url)
    const transformation = {
      name: 'mark',
      code: 'export const transformEvent = (event) => ({ ...event, marked: true })',
    }
    const sluice = await createSluice({
      workspace: { ...rest, destinations: destinations.map((each) => ({ ...each, transformation })) },
      store,
      allowAddresses: ['localhost'],
      onError: (error) => {
        throw error
      },
    })
    const event = { type: 'track', event: 'E', userId: 'u' }
    await sluice.ingest('web-key', [event])
    await sluice.process('web-key', [event])
    await sluice.settled()
    await sluice.stop()
  }
  // The first start also creates what a process creates only once.
  await once()
  await once()
  const before = counts()
  for (let round = 0; round < 3; round += 1) await once()
  // What tests before this one left behind may end meanwhile.
  const grown = () => Object.entries(counts()).filter(([name, count]) => count > before[name as keyof typeof before])
  await eventually(grown).toEqual([])
  expect(receiver.received).toHaveLength(10)
  await receiver.close()
})

import { type Event, systemClock, systemRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { builtInDestinations } from '@sluice/destinations'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { expect, it } from 'vitest'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'

/** Consumers of the log get the same objects: a change by one would affect all. */
it('no stage and no destination changes a batch of the log', async () => {
  const store = await openSqliteStore({ path: ':memory:', clock: systemClock, random: systemRandom })
  let frozen = 0
  const read: typeof store.log.read = async (...asked) => {
    const batches = await store.log.read(...asked)
    frozen += batches.length
    return deepFrozen(batches)
  }
  const all = builtInDestinations.flatMap(({ type, examples }) => {
    const [first] = examples.filter((example) => 'requests' in example)
    const events = examples.slice(0, 20).map(({ event }) => event)
    return first ? [{ id: type, type, settings: first.settings, events }] : []
  })
  const code = `export function transformEvent(event) {
    event.context = { ...event.context, seen: true }
    if (event.properties) event.properties.added = 1
    return event
  }`
  const destinations = all.map(({ id, type, settings }) => ({ id, type, settings }))
  const hook = { type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/' } }
  const sources = all.map(({ id }) => ({ id, writeKey: id }))
  let fail = (_: unknown): void => {}
  const failed = new Promise((_, reject) => {
    fail = reject
  })
  failed.catch(() => {})
  const sluice = await createSluice({
    workspace: uncheckedWorkspace({
      id: 'w',
      sources,
      destinations: [...destinations, { ...hook, id: 'changed', transformation: { name: 'change', code } }],
      connections: all.flatMap(({ id }) => [
        { source: id, destination: id },
        { source: id, destination: 'changed' },
      ]),
    }),
    store: { ...store, log: { ...store.log, read } },
    transport: createRecordingTransport(() => reply(200)),
    sandbox: { mode: 'in-process' },
    // Some destinations take the empty reply for a failure, and would be left alone for a while.
    delivery: { retry: { attemptsMax: 1, baseMs: 1, capMs: 1 }, circuit: { failuresMax: 1_000_000 } },
    retries: { windowMs: 0 },
    onError: (error) => fail(error),
  })
  for (const { id, events } of all) await send(id, events)
  await Promise.race([sluice.settled(), failed])
  const stats = await sluice.stats()
  const outcomes = stats.flatMap((source) => source.destinations)
  expect(outcomes.reduce((sum, { delivered }) => sum + delivered, 0)).toBeGreaterThan(all.length)
  expect(outcomes.filter(({ failed }) => 'stage.broken' in failed)).toEqual([])
  expect(frozen).toBeGreaterThanOrEqual(all.length)
  await sluice.stop()

  async function send(writeKey: string, events: readonly Event[]): Promise<void> {
    const basic = Buffer.from(`${writeKey}:`).toString('base64')
    const request = new Request('http://sluice.test/v1/batch', {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify({ batch: events.map((event) => ({ userId: 'u', ...event })) }),
    })
    expect((await sluice.fetch(request)).status).toBe(200)
  }
})

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFrozen(member)
  }
  return value
}

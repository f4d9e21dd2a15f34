import { type Event, systemClock, systemRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { builtInDestinations } from '@sluice/destinations'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { expect, it } from 'vitest'

/** Consumers of the log are given the same objects: whoever changed one would change it for all. */
it('no stage and no destination changes a batch of the log', async () => {
  const store = await openSqliteStore({ path: ':memory:', clock: systemClock, random: systemRandom })
  let frozen = 0
  const read: typeof store.log.read = async (...asked) => {
    const batches = await store.log.read(...asked)
    frozen += batches.length
    return deepFrozen(batches)
  }
  const all = builtInDestinations.flatMap(({ type, examples }) =>
    examples.flatMap(({ event, settings }, n) => ({ id: `${type}-${n}`, type, event, settings })),
  )
  const code = `export function transformEvent(event) {
    event.context = { ...event.context, seen: true }
    if (event.properties) event.properties.added = 1
    return event
  }`
  const destinations = all.map(({ id, type, settings }) => ({ id, type, settings }))
  const sources = all.map(({ id }) => ({
    id,
    writeKey: id,
    trackingPlan: {
      onViolation: 'strip' as const,
      events: [
        { type: 'track', event: 'Order Completed', schema: { properties: { properties: { maxProperties: 1 } } } },
      ],
    },
  }))
  const problems: unknown[] = []
  const sluice = await createSluice({
    workspace: {
      id: 'w',
      sources,
      destinations: destinations.flatMap((each) => [
        each,
        { ...each, id: `${each.id}-changed`, transformation: { name: 'change', code } },
      ]),
      connections: all.flatMap(({ id }) => [
        { source: id, destination: id },
        { source: id, destination: `${id}-changed` },
      ]),
    },
    store: { ...store, log: { ...store.log, read } },
    transport: createRecordingTransport(() => reply(200)),
    sandbox: { mode: 'in-process' },
    delivery: { retry: { attemptsMax: 1, baseMs: 1, capMs: 1 } },
    retries: { windowMs: 0 },
    onError: (error) => problems.push(error),
  })
  for (const { id, event } of all) await send(id, { userId: 'u', ...event })
  await sluice.settled()
  expect(problems).toEqual([])
  const stats = await sluice.stats()
  const outcomes = stats.flatMap((source) => source.destinations)
  expect(outcomes.reduce((sum, { delivered }) => sum + delivered, 0)).toBeGreaterThan(all.length)
  expect(outcomes.filter(({ failed }) => 'stage.broken' in failed)).toEqual([])
  expect(frozen).toBeGreaterThan(all.length)
  await sluice.stop()

  async function send(writeKey: string, event: Event): Promise<void> {
    const basic = Buffer.from(`${writeKey}:`).toString('base64')
    const request = new Request('http://sluice.test/v1/batch', {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify({ batch: [event] }),
    })
    await sluice.fetch(request)
  }
})

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFrozen(member)
  }
  return value
}

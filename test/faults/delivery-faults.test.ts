import { createServer } from 'node:net'
import { createSluice, type Sluice, type SluiceOptions } from 'sluice'
import { afterAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type FaultyServer, startFaultyServer, type Treatment, treatments } from '../support/faults/faulty-server.ts'
import { pause } from '../support/pause.ts'
import { patience } from '../support/processes/patience.ts'

const opened: { close(): Promise<unknown> }[] = []
// Closed after all tests, not after each: some tests run side by side.
afterAll(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

async function serve(next: (messageId: string) => Treatment, port?: number): Promise<FaultyServer> {
  const server = await startFaultyServer(next, port)
  opened.push(server)
  return server
}

/** Waits are short here, and requests that hang end soon. Nothing is given up unless a test says when. */
async function start(urls: readonly string[], more: Partial<SluiceOptions> = {}): Promise<Sluice> {
  const sluice = await createSluice({
    workspace: {
      id: 'w',
      sources: [{ id: 's', writeKey: 'k' }],
      destinations: urls.map((webhookUrl, n) => ({ id: `d${n}`, type: 'WEBHOOK', settings: { webhookUrl } })),
      connections: urls.map((_, n) => ({ source: 's', destination: `d${n}` })),
    },
    allowAddresses: ['localhost'],
    sandbox: { mode: 'in-process' },
    delivery: {
      timeMs: 125 * patience(),
      concurrency: 4,
      retry: { attemptsMax: 3, baseMs: 2, capMs: 10 },
      circuit: { firstMs: 5, lastMs: 50 },
    },
    retries: { windowMs: 3_600_000, backoff: { baseMs: 5, capMs: 50 } },
    ...more,
  })
  opened.push({ close: () => sluice.stop(0) })
  return sluice
}

const users = ['a', 'b', 'c', 'd']
/** Events of all users in turn, named after their user and their position. */
const eventsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const userId = users[n % users.length] ?? ''
    return { type: 'track', event: 'E', userId, messageId: `${userId}${n}` }
  })

async function statsOf(sluice: Sluice, destinationId = 'd0') {
  const [source] = await sluice.stats()
  const stats = source?.destinations.find((each) => each.destinationId === destinationId)
  if (stats === undefined) throw new Error(`nothing was counted for ${destinationId}`)
  const sum = (reasons: Readonly<Record<string, number>>) => Object.values(reasons).reduce((a, b) => a + b, 0)
  const { accepted, delivered, pending } = stats
  return { accepted, delivered, dropped: sum(stats.dropped), failed: sum(stats.failed), pending }
}

/** No event of a user arrives again after a later event of the same user. */
function expectOrder(seen: readonly string[]): void {
  for (const user of users) {
    const places = seen.filter((id) => id.startsWith(user)).map((id) => Number(id.slice(1)))
    expect(places, `the events of ${user}`).toEqual([...places].sort((a, b) => a - b))
  }
}

const count = 40

describe('receivers that treat requests badly', () => {
  /** Every event gets the fault the first time, some a second time. */
  const faults: readonly (keyof typeof treatments)[] = [
    'hangs',
    'trickles',
    'resets',
    'breaksOff',
    'answersGarbage',
    'isBusy',
    'asksToSlowDown',
  ]
  // These two wait for a timeout, and wait together.
  const waiting: readonly (typeof faults)[number][] = ['hangs', 'trickles']
  for (const fault of faults)
    it(`one that ${fault}: every event arrives in the end, in order, and is counted once`, {
      concurrent: waiting.includes(fault),
    }, async () => {
      const timesSeen = new Map<string, number>()
      const server = await serve((messageId) => {
        const times = (timesSeen.get(messageId) ?? 0) + 1
        timesSeen.set(messageId, times)
        const place = Number(messageId.slice(1))
        return times <= (place % 8 === 0 ? 4 : place % 3 === 0 ? 1 : 0) ? treatments[fault] : treatments.takes
      })
      const sluice = await start([server.url])
      await sluice.ingest('k', eventsOf(count))
      await sluice.settled()
      expect(await statsOf(sluice)).toEqual({ accepted: count, delivered: count, dropped: 0, failed: 0, pending: 0 })
      expect([...server.taken].sort()).toEqual(
        eventsOf(count)
          .map(({ messageId }) => messageId)
          .sort(),
      )
      expectOrder(server.seen)
    })

  it('one that redirects: no redirect is followed, and every event becomes a dead letter', async () => {
    const server = await serve(() => treatments.redirects)
    const sluice = await start([server.url])
    await sluice.ingest('k', eventsOf(count))
    await sluice.settled()
    expect(await statsOf(sluice)).toEqual({ accepted: count, delivered: 0, dropped: 0, failed: count, pending: 0 })
    expect(server.seen).toHaveLength(count)
    const [letter, ...others] = await sluice.deadLetters.list('w', { limit: count })
    expect(others).toHaveLength(count - 1)
    expect(letter?.error.message).toContain('redirects are not followed')
  })

  it('one that answers 10 MB: the event counts as delivered, and the reply is not kept', async () => {
    const server = await serve(() => treatments.answersMuch)
    const sluice = await start([server.url])
    await sluice.ingest('k', eventsOf(count))
    await sluice.settled()
    expect(await statsOf(sluice)).toEqual({ accepted: count, delivered: count, dropped: 0, failed: 0, pending: 0 })
    expectOrder(server.seen)
  })

  it('one that asks all senders to wait: it gets no request for that long, and nothing is given up', async () => {
    const askedAt: number[] = []
    let early = 0
    const server = await serve(() => {
      const since = Date.now() - (askedAt.at(-1) ?? 0)
      // Requests that were already under way are allowed.
      if (since > 100 && since < 950) early += 1
      if (askedAt.length >= 2 || (askedAt.length === 1 && since < 950)) return treatments.takes
      askedAt.push(Date.now())
      return treatments.asksToWait
    })
    const sluice = await start([server.url])
    await sluice.ingest('k', eventsOf(count))
    await sluice.settled()
    expect(await statsOf(sluice)).toMatchObject({ delivered: count, failed: 0, pending: 0 })
    expect(askedAt).toHaveLength(2)
    expect(early).toBe(0)
    expectOrder(server.seen)
  })

  it('one that accepts nothing for long: it gets a probe now and then, and catches up when it is back', async () => {
    let isDead = true
    const server = await serve(() => (isDead ? treatments.isBusy : treatments.takes))
    const sluice = await start([server.url])
    await sluice.ingest('k', eventsOf(count))
    await pause(600, 'without pauses between probes there would be hundreds')
    const askedWhileDead = server.seen.length
    expect(askedWhileDead).toBeLessThan(60)
    expect(await statsOf(sluice)).toMatchObject({ accepted: count, delivered: 0, pending: count })
    isDead = false
    await sluice.settled()
    expect(await statsOf(sluice)).toMatchObject({ delivered: count, failed: 0, pending: 0 })
    expect(server.taken).toHaveLength(count)
    expectOrder(server.seen)
  })

  it('one that is away and comes back at the same address', async () => {
    const first = await startFaultyServer(() => treatments.takes)
    const port = Number(new URL(first.url).port)
    const sluice = await start([first.url])
    await sluice.ingest('k', eventsOf(8))
    await sluice.settled()
    await first.close()
    await sluice.ingest('k', eventsOf(count).slice(8))
    await eventually(() => statsOf(sluice)).toMatchObject({ delivered: 8, pending: count - 8 })
    const second = await serve(() => treatments.takes, port)
    await sluice.settled()
    expect(await statsOf(sluice)).toMatchObject({ delivered: count, failed: 0, pending: 0 })
    expectOrder([...first.seen, ...second.seen])
  })

  it('one that accepts connections and never answers: every event is given up when its time is over', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    opened.push({ close: async () => silent.close() })
    const sluice = await start([`http://127.0.0.1:${port}`], {
      retries: { windowMs: 600, attemptsMin: 3, backoff: { baseMs: 5, capMs: 20 } },
    })
    await sluice.ingest('k', eventsOf(12))
    await sluice.settled()
    expect(await statsOf(sluice)).toEqual({ accepted: 12, delivered: 0, dropped: 0, failed: 12, pending: 0 })
    expect(await sluice.deadLetters.list('w', { limit: 20 })).toHaveLength(12)
  })
})

describe('a dead destination', () => {
  it('does not delay another: that one has received everything while the first has received nothing', async () => {
    const dead = await serve(() => treatments.hangs)
    const live = await serve(() => treatments.takes)
    const sluice = await start([dead.url, live.url])
    for (let n = 0; n < 5; n += 1) await sluice.ingest('k', eventsOf(count))
    // At least once: a busy machine may let a request time out that was taken.
    await eventually(() => live.taken.length).toBeGreaterThanOrEqual(5 * count)
    expect(await statsOf(sluice, 'd0')).toMatchObject({ accepted: 5 * count, delivered: 0, pending: 5 * count })
    expect(dead.seen.length).toBeLessThan(100)
  })

  it('does not keep the pipeline from stopping, nor from resuming all its work', async () => {
    const dead = await serve(() => treatments.hangs)
    // Longer than a test may take: it must not wait for the request to time out.
    const sluice = await start([dead.url], { delivery: { timeMs: 600_000 } })
    await sluice.ingest('k', eventsOf(count))
    await eventually(() => dead.seen.length).toBeGreaterThan(0)
    await sluice.stop(100)
  })
})

import { createRecordingTransport, reply } from '@sluice/delivery'
import { createSluice } from 'sluice'
import { expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'

/** Budget for the outputs of user code; one batch of 200 events may become 32 MiB. */
const transformedBytesMax = 64 * 1024 * 1024
const names = Array.from({ length: 12 }, (_, n) => `d${n}`)
const code = `
const text = 'x'.repeat(150_000)
export const transformEvent = (event) => ({ ...event, text: text + event.messageId })`

const workspace = (id: string, destinations: readonly string[], transformation: { readonly code: string }) => ({
  id,
  sources: [{ id: 'web', writeKey: `key-${id}` }],
  destinations: destinations.map((name) => ({
    id: name,
    type: 'WEBHOOK' as const,
    settings: { webhookUrl: `http://${name}.${id}.test/` },
    transformation,
  })),
  connections: destinations.map((destination) => ({ source: 'web', destination })),
})
const tracks = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ type: 'track', event: 'Seen', userId: `u${n}`, messageId: `m${n}` }))

it('twelve destinations that respond late hold no more outputs of user code than the budget, and delay no other workspace', async () => {
  const waiting: (() => void)[] = []
  let isOver = false
  const asked = new Set<string>()
  const transport = createRecordingTransport(async ({ endpoint }) => {
    const { host } = new URL(endpoint)
    if (host.endsWith('.a.test')) asked.add(host)
    if (host.endsWith('.a.test') && !isOver) await new Promise<void>((resolve) => waiting.push(resolve))
    return reply(200)
  })
  const sluice = await createSluice({
    workspace: {
      workspaces: [
        workspace('a', names, { code }),
        workspace('b', ['mine', 'other'], { code: 'export const transformEvent = (event) => event' }),
      ],
    },
    transport,
    transformedBytesMax,
    delivery: { timeMs: 60_000 },
  })
  await sluice.ingest('key-a', tracks(100))
  await eventually(() => asked.size).toBeGreaterThan(0)
  await sluice.ingest('key-b', tracks(3))
  const mine = async () => (await sluice.stats('b'))[0]?.destinations.map(({ delivered }) => delivered)
  await eventually(mine).toEqual([3, 3])
  // Half of the budget is reserved for others, so two batches of 15 MB fit, and perhaps a third was admitted with them.
  expect(asked.size).toBeLessThanOrEqual(4)

  isOver = true
  for (const resume of waiting) resume()
  await sluice.settled()
  const theirs = (await sluice.stats('a'))[0]?.destinations.map(({ delivered }) => delivered)
  expect(theirs).toEqual(names.map(() => 100))
  await sluice.stop()
})

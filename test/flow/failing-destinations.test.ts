import { createManualClock } from '@sluice/core'
import { reply } from '@sluice/delivery'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { shop } from '../support/scenes/shop.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

const serve = serveWorkspaces()
afterEach(() => vi.restoreAllMocks())

const secret = 'kim@shop.test'
const order = { type: 'track', userId: secret, event: 'Order Placed', properties: { email: secret } }

/** What the console got. */
function consoleLines(): readonly string[] {
  const lines: string[] = []
  vi.spyOn(console, 'warn').mockImplementation((line) => lines.push(String(line)) > 0)
  return lines
}

describe('a destination that fails', () => {
  it('is logged to the console by a program without a logger, once for many events, and without what is in them', async () => {
    const lines = consoleLines()
    const { sluice } = await serve({ answer: () => reply(400, `no ${secret}`), clock: createManualClock() })
    await sluice.ingest('web-key', [order, { ...order, event: 'Other' }])
    await sluice.settled()
    await sluice.ingest('web-key', [order])
    await sluice.settled()
    const failed = lines.filter((line) => line.includes('deliver.refused'))
    expect(failed).toEqual([
      expect.stringMatching(
        /^sluice warning: events failed at a destination and are dead letters now \{.*"status":400.*\}$/,
      ),
    ])
    expect(lines.join()).not.toContain(secret)
  })

  it('is logged with the next try while it is down, and not at all on request', async () => {
    const lines = consoleLines()
    const { sluice } = await serve({ answer: () => reply(500), logger: 'off' })
    await sluice.ingest('web-key', [order])
    await sluice.settled()
    expect(lines).toEqual([])
    const logged: object[] = []
    const logger = { debug: () => {}, info: () => {}, warn: (fields: object) => logged.push(fields), error: () => {} }
    const other = await serve({ answer: () => reply(500), logger })
    await other.sluice.ingest('web-key', [order])
    await eventually(() => logged).toContainEqual(
      expect.objectContaining({
        code: 'deliver.unavailable',
        status: 500,
        reason: 'The destination could not be reached or asked to wait.',
        nextTry: expect.stringMatching(/Z$/),
      }),
    )
  })

  it('is named when it starts with an address that may not be sent to, and its dead letters say that Sluice refused', async () => {
    const lines = consoleLines()
    const { sluice } = await serve({
      workspace: shop('http://localhost:9/in'),
      transport: undefined,
      allowAddresses: [],
    })
    expect(lines).toEqual([expect.stringMatching(/--allow-address localhost.*"host":"localhost"/)])
    await sluice.ingest('web-key', [order])
    await sluice.settled()
    const letters = await sluice.deadLetters.list('shop', { limit: 10 })
    expect(letters[0]?.error.message).toMatch(
      /^localhost(?::9)? got no request\. Sluice did not send it: localhost(?::9)? is not a public address/,
    )
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startFaultyServer, type Treatment, treatments } from '../support/faults/faulty-server.ts'
import { dataPlaneProgram } from '../support/processes/data-plane-program.ts'
import { startKillable } from '../support/processes/killable.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A data plane with one destination, which gets events of a different user each. */
async function scene(treatmentOf: (messageId: string) => Treatment) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-again-'))
  closing.push(() => rmSync(folder, { recursive: true }))
  const server = await startFaultyServer((messageId) => treatmentOf(messageId))
  closing.push(() => server.close())
  const options = {
    workspace: {
      id: 'w',
      sources: [{ id: 's', writeKey: 'k' }],
      destinations: [{ id: 'd', type: 'WEBHOOK', settings: { webhookUrl: server.url } }],
      connections: [{ source: 's', destination: 'd' }],
    },
    allowAddresses: ['localhost'],
    sandbox: { mode: 'in-process' },
    // Nothing is handed over for being slow, so that the process is killed when as much as possible is under way.
    delivery: { timeMs: 300_000, slowMs: 120_000, retry: { attemptsMax: 1 }, circuit: { failuresMax: 1_000_000 } },
    retries: { backoff: { baseMs: 500, capMs: 500 } },
  }
  const start = async () => {
    const running = await startKillable(dataPlaneProgram, [JSON.stringify({ folder, port: 0, options })])
    closing.push(() => running.kill())
    return { running, port: Number(await running.reported('serving')) }
  }
  return {
    server,
    start,
    /** @returns the message ids. */
    async send(port: number, first: number, count: number): Promise<readonly string[]> {
      const ids = Array.from({ length: count }, (_, at) => `m${first + at}`)
      const batch = ids.map((messageId) => ({ type: 'track', event: 'E', userId: `user of ${messageId}`, messageId }))
      const answer = await fetch(`http://127.0.0.1:${port}/v1/batch`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('k:')}` },
        body: JSON.stringify({ batch }),
      })
      expect(answer.status).toBe(200)
      return ids
    },
    /** Events that the destination has accepted more than once, once all have been accepted. */
    async acceptedTwice(ids: readonly string[]): Promise<number> {
      await eventually(() => new Set(server.taken).size).toBe(ids.length)
      const counts = new Map<string, number>()
      for (const id of server.taken) counts.set(id, (counts.get(id) ?? 0) + 1)
      return [...counts.values()].filter((count) => count > 1).length
    },
  }
}

describe('after a kill, a destination is sent again', () => {
  it('at most 50 of the events that waited to be tried again', async () => {
    let isUp = false
    let left = Number.POSITIVE_INFINITY
    const seen = new Map<string, number>()
    const { start, send, acceptedTwice } = await scene((id) => {
      seen.set(id, (seen.get(id) ?? 0) + 1)
      if (!isUp) return treatments.isBusy
      left -= 1
      return left >= 0 ? treatments.takes : treatments.hangs
    })
    const first = await start()
    const ids = await send(first.port, 0, 400)
    // Each was tried again, so all of them wait: none is on its way for the first time.
    await eventually(() => seen.size === ids.length && Math.min(...seen.values()) > 1).toBe(true)
    first.running.kill()
    await first.running.ended
    // All are due when the next process begins. All but the last one of those that it tries together are accepted.
    left = 49
    isUp = true
    const second = await start()
    await eventually(() => left).toBe(-1)
    second.running.kill()
    await second.running.ended
    left = Number.POSITIVE_INFINITY
    await start()
    expect(await acceptedTwice(ids)).toBe(49)
  })

  it('at most 3,200 of the others, while an event before them is not answered', async () => {
    let isUp = false
    const { server, start, send, acceptedTwice } = await scene((id) =>
      id === 'm0' && !isUp ? treatments.hangs : treatments.takes,
    )
    const first = await start()
    const ids: string[] = []
    for (let sent = 0; sent < 4_000; sent += 400) ids.push(...(await send(first.port, sent, 400)))
    await eventually(() => server.seen.length).toBe(3_200)
    first.running.kill()
    await first.running.ended
    isUp = true
    await start()
    // All but the one that was not answered.
    expect(await acceptedTwice(ids)).toBe(3_199)
  })
})

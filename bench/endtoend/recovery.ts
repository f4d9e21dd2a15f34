import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createSluice } from 'sluice'

export interface RecoverySetup {
  /** Events offered each second, for each of ten destinations. */
  readonly perSecond: number
  /** Seconds for which two of them are down, and for which events are still offered when they are back. */
  readonly downSeconds: number
  readonly backSeconds: number
}

export interface Recovery {
  /** From acknowledged to arrived at the eight others, while two are down. */
  readonly p99DownMs: number
  /** The same from when the two are back. */
  readonly p99BackMs: number
  /** Events of the two that waited when they were back. */
  readonly waiting: number
  /** Seconds until these had arrived; infinite when not all of them did while events were offered. */
  readonly recoverySeconds: number
}

const destinations = 10
const users = 400
const callEvents = 10

async function measure({ perSecond, downSeconds, backSeconds }: RecoverySetup): Promise<Recovery> {
  const sentAt = new Map<string, number>()
  const took: { readonly sent: number; readonly ms: number }[] = []
  const arrivedBack = [new Set<string>(), new Set<string>()]
  let isDown = true
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const place = Number(request.url?.slice(1))
    if (place < 2 && isDown) return void response.writeHead(503).end()
    const { messageId } = JSON.parse(body) as { readonly messageId: string }
    const sent = sentAt.get(messageId) ?? performance.now()
    if (place < 2) arrivedBack[place]?.add(messageId)
    else took.push({ sent, ms: performance.now() - sent })
    response.writeHead(200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ids = Array.from({ length: destinations }, (_, place) => `d${place}`)
  const sluice = await createSluice({
    allowAddresses: ['localhost'],
    retries: { backoff: { baseMs: 1_000, capMs: 5_000 } },
    workspace: {
      id: 'bench',
      sources: [{ id: 's', writeKey: 'k' }],
      destinations: ids.map((id, place) => ({
        id,
        type: 'WEBHOOK',
        settings: { webhookUrl: `http://127.0.0.1:${port}/${place}` },
      })),
      connections: ids.map((destination) => ({ source: 's', destination })),
    },
  })
  const startedAt = performance.now()
  const backAt = startedAt + downSeconds * 1_000
  let waiting: readonly string[] | undefined
  let recoveredAt: number | undefined
  const count = perSecond * (downSeconds + backSeconds)
  for (let n = 0; n < count; n += callEvents) {
    const late = startedAt + (n / perSecond) * 1_000 - performance.now()
    if (late > 0) await wait(late)
    if (performance.now() >= backAt && waiting === undefined) {
      isDown = false
      waiting = [...sentAt.keys()]
    }
    if (waiting !== undefined && recoveredAt === undefined)
      if (arrivedBack.every((arrived) => waiting?.every((id) => arrived.has(id)))) recoveredAt = performance.now()
    const events = Array.from({ length: callEvents }, (_, k) => {
      const messageId = `m${n + k}`
      return { type: 'track', event: 'Seen', userId: `u${(n + k) % users}`, messageId }
    })
    const result = await sluice.ingest('k', events)
    if (!result.ok) throw new Error('an event was refused')
    for (const { messageId } of events) sentAt.set(messageId, performance.now())
  }
  await wait(1_000)
  const p99 = (from: number, to: number): number => {
    const chosen = took.filter(({ sent }) => sent >= from && sent < to).map(({ ms }) => ms)
    return chosen.toSorted((a, b) => a - b)[Math.floor(chosen.length * 0.99)] ?? Number.NaN
  }
  server.closeAllConnections()
  server.close()
  await sluice.stop(100)
  return {
    // Without the seconds in which code is compiled.
    p99DownMs: p99(startedAt + 3_000, backAt),
    p99BackMs: p99(backAt, Number.POSITIVE_INFINITY),
    waiting: waiting?.length ?? 0,
    recoverySeconds: ((recoveredAt ?? Number.POSITIVE_INFINITY) - backAt) / 1_000,
  }
}

const setup = JSON.parse(process.argv[2] ?? '') as RecoverySetup
process.stdout.write(JSON.stringify(await measure(setup)))
process.exit()

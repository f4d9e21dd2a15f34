import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createSluice } from 'sluice'

/** Which requests hang, for 30 s each. */
export type Hanging = 'none' | 'five-users' | 'at-random' | 'half'

export interface SlowUsersSetup {
  readonly hanging: Hanging
  /** Events offered each second, one of each of 400 users in turn. */
  readonly perSecond: number
  readonly seconds: number
  /** Milliseconds after which an event is handed over. */
  readonly slowMs: number
}

export interface SlowUsers {
  /** Events of users for whom nothing hung that arrived while events were offered, as a share of what was offered of them. */
  readonly arrivedShare: number
  /** Of those, from acknowledged to arrived. */
  readonly p99Ms: number
  /** Events that no attempt had reached the receiver with, when the offer ended. */
  readonly behind: number
  /** Connections that hung at a time. */
  readonly hangingMost: number
  readonly heapMb: number
}

const users = 400
const hangMs = 30_000
const callEvents = 20

async function measure({ hanging, perSecond, seconds, slowMs }: SlowUsersSetup): Promise<SlowUsers> {
  const sentAt = new Map<string, number>()
  const arrivedAt = new Map<string, number>()
  const hung = new Set<string>()
  let [hangs, hangingMost] = [0, 0]
  // The same in each run.
  let seed = 1
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const silent = { none: 0, 'five-users': 5, 'at-random': 0, half: users / 2 }[hanging]
  const hangsFor = (user: number): boolean =>
    hanging === 'at-random' ? random() < 0.01 : user % 2 === 1 && user < 2 * silent
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { messageId, userId } = JSON.parse(body) as { readonly messageId: string; readonly userId: string }
    if (!arrivedAt.has(messageId)) arrivedAt.set(messageId, performance.now())
    if (!hangsFor(Number(userId.slice(1)))) return void response.writeHead(200).end()
    hung.add(userId)
    hangs += 1
    hangingMost = Math.max(hangingMost, hangs)
    const timer = setTimeout(() => response.writeHead(200).end(), hangMs)
    response.on('close', () => {
      clearTimeout(timer)
      hangs -= 1
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sluice = await createSluice({
    allowAddresses: ['localhost'],
    delivery: { slowMs },
    workspace: {
      id: 'bench',
      sources: [{ id: 's', writeKey: 'k' }],
      destinations: [
        {
          id: 'd',
          type: 'WEBHOOK',
          settings: { webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
        },
      ],
      connections: [{ source: 's', destination: 'd' }],
    },
  })
  const startedAt = performance.now()
  const count = perSecond * seconds
  for (let n = 0; n < count; n += callEvents) {
    const late = startedAt + (n / perSecond) * 1_000 - performance.now()
    if (late > 0) await wait(late)
    const events = Array.from({ length: callEvents }, (_, k) => {
      const messageId = `m${n + k}`
      return { type: 'track', event: 'Seen', userId: `u${(n + k) % users}`, messageId }
    })
    const result = await sluice.ingest('k', events)
    if (!result.ok) throw new Error('an event was refused')
    for (const { messageId } of events) sentAt.set(messageId, performance.now())
  }
  await wait(1_000)
  const heapMb = process.memoryUsage().heapUsed / 2 ** 20
  const others = [...sentAt].filter(([id]) => !hung.has(`u${Number(id.slice(1)) % users}`))
  const took = others.flatMap(([id, at]) => {
    const arrived = arrivedAt.get(id)
    return arrived === undefined ? [] : [arrived - at]
  })
  took.sort((a, b) => a - b)
  const behind = count - arrivedAt.size
  server.closeAllConnections()
  server.close()
  await sluice.stop(100)
  return {
    arrivedShare: took.length / others.length,
    p99Ms: took[Math.floor(took.length * 0.99)] ?? Number.NaN,
    behind,
    hangingMost,
    heapMb,
  }
}

const setup = JSON.parse(process.argv[2] ?? '') as SlowUsersSetup
process.stdout.write(JSON.stringify(await measure(setup)))
process.exit()

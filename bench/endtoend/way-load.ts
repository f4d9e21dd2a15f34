import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '@sluice/core'

export interface WayLoadOptions {
  readonly events: readonly Event[]
  /** Events in each call. */
  readonly callEvents: number
  /** Workspaces that take turns with their calls: their write keys are `k0`, `k1` and so on. Default 1. */
  readonly workspaces?: number
}

/** What a program did in a round. */
export interface WayRound {
  /** CPU per event, in microseconds. */
  readonly cpuMicroseconds: number
  /** Events acknowledged each second while they are delivered. */
  readonly acknowledgedPerSecond: number
  readonly deliveredPerSecond: number
}

export interface WayRoundOptions {
  /** Where the program takes calls. */
  readonly port: number
  /** How often each event arrives at the receiver; default 1. */
  readonly deliveries?: number
  /** Events of the round. */
  readonly count: number
  /** Events each second; default as many as are taken. */
  readonly perSecond?: number | undefined
  /** Returns the CPU that the program has used so far, in microseconds. */
  cpu(): number
}

/** Calls and their receiver: the same load for each program that is compared. */
export interface WayLoad {
  /** Address at which events are to arrive. */
  readonly receiver: string
  /** Sends one call. @returns the status of the answer. */
  post(port: number): Promise<number | undefined>
  /** Sends events, and waits until all have arrived. */
  round(options: WayRoundOptions): Promise<WayRound>
  close(): void
}

/** Calls under way at a time. */
const connections = 16
/** Outcomes and receipts are committed after the last arrival. */
export const wayRestMs = 1_500
/** Longest round. */
const roundMsMax = 300_000

export async function startWayLoad({ events, callEvents, workspaces = 1 }: WayLoadOptions): Promise<WayLoad> {
  let arrived = 0
  const receiver = createServer((incoming, response) =>
    incoming.resume().on('end', () => {
      arrived += 1
      response.end()
    }),
  ).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let calls = 0
  const post: WayLoad['post'] = (port) => {
    const at = (calls * callEvents) % (events.length - callEvents + 1)
    calls += 1
    const batch = events.slice(at, at + callEvents).map((event, i) => ({ ...event, messageId: `m${calls}-${i}` }))
    const headers = { authorization: `Basic ${btoa(`k${calls % workspaces}:`)}`, 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const options = { agent, host: '127.0.0.1', port, method: 'POST', path: '/v1/batch', headers }
      request(options, (response) => response.resume().on('end', () => resolve(response.statusCode)))
        .on('error', reject)
        .end(JSON.stringify({ batch }))
    })
  }
  const round: WayLoad['round'] = async ({
    port,
    deliveries = 1,
    count,
    perSecond = Number.POSITIVE_INFINITY,
    cpu,
  }) => {
    // The server may close an idle connection just when it is used again.
    agent.destroy()
    const [before, from, startedAt] = [cpu(), arrived, performance.now()]
    let sent = 0
    const sendRest = async (): Promise<void> => {
      while (sent < count) {
        const dueAt = startedAt + (sent / perSecond) * 1_000
        sent += callEvents
        if (dueAt > performance.now()) await sleep(dueAt - performance.now())
        for (let status = await post(port); status !== 200; status = await post(port)) {
          if (status !== 503) throw new Error(`a call was answered with ${status}`)
          await sleep(100)
        }
      }
    }
    await Promise.all(Array.from({ length: connections }, sendRest))
    const acknowledgedMs = performance.now() - startedAt
    const expected = count * deliveries
    while (arrived < from + expected) {
      if (performance.now() - startedAt > roundMsMax) throw new Error(`${arrived - from} of ${expected} events arrived`)
      await sleep(20)
    }
    const deliveredMs = performance.now() - startedAt
    await sleep(wayRestMs)
    return {
      cpuMicroseconds: (cpu() - before) / count,
      acknowledgedPerSecond: (count / acknowledgedMs) * 1_000,
      deliveredPerSecond: (count / deliveredMs) * 1_000,
    }
  }
  return {
    receiver: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    post,
    round,
    close() {
      agent.destroy()
      receiver.closeAllConnections()
      receiver.close()
    },
  }
}

/** Returns the median of each figure. */
export function medians(rounds: readonly WayRound[]): WayRound {
  return {
    cpuMicroseconds: median(rounds.map((each) => each.cpuMicroseconds)),
    acknowledgedPerSecond: median(rounds.map((each) => each.acknowledgedPerSecond)),
    deliveredPerSecond: median(rounds.map((each) => each.deliveredPerSecond)),
  }
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

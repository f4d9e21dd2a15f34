import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '@sluice/core'
import type { TargetKind, TargetSetup, Usage } from './target.ts'

/** Requests under way at a time. */
const connections = 16

export interface Driven {
  readonly eventsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuMicrosecondsPerEvent: number
  readonly bytesWrittenPerEvent: number
  readonly bytesSentPerEvent: number
  /** After a fifth of the time, when caches and the optimizing compiler have taken what they take, and at the end. */
  readonly residentBytes: readonly [number, number]
}

export interface Drive {
  readonly kind: TargetKind
  readonly consumers: boolean
  readonly batch: number
  readonly events: readonly Event[]
  readonly warmupMs: number
  readonly timeMs: number
}

/** Starts a server in a process of its own and sends it batches over loopback, each when the one before it is acknowledged. */
export async function drive({ kind, consumers, batch, events, warmupMs, timeMs }: Drive): Promise<Driven> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const setup: TargetSetup = { kind, consumers, path: join(folder, 'sluice.db') }
  const child = fork(new URL('./target.js', import.meta.url), [JSON.stringify(setup)], { execArgv: [] })
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  try {
    const { port } = (await answerOf(child)) as { readonly port: number }
    const bodies = Array.from({ length: Math.floor(events.length / batch) }, (_, n) =>
      Buffer.from(JSON.stringify({ batch: events.slice(n * batch, (n + 1) * batch) })),
    )
    const send = (body: Buffer) => post(agent, port, body)
    await sendFor(warmupMs, bodies, send)
    const before = await usageOf(child)
    const startedAt = performance.now()
    const latencies = await sendFor(timeMs / 5, bodies, send)
    const settled = await usageOf(child)
    for (const latency of await sendFor((timeMs * 4) / 5, bodies, send)) latencies.push(latency)
    const seconds = (performance.now() - startedAt) / 1_000
    const after = await usageOf(child)
    const sent = latencies.length * batch
    latencies.sort((a, b) => a - b)
    return {
      eventsPerSecond: sent / seconds,
      p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
      p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
      cpuMicrosecondsPerEvent: (after.cpuMicroseconds - before.cpuMicroseconds) / sent,
      bytesWrittenPerEvent: (after.bytesWritten - before.bytesWritten) / sent,
      bytesSentPerEvent: bodies.reduce((sum, body) => sum + body.length, 0) / (bodies.length * batch),
      residentBytes: [settled.residentBytes, after.residentBytes],
    }
  } finally {
    agent.destroy()
    child.disconnect()
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true })
  }
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([status]) => Promise.reject(new Error(`the server ended with ${status}`))),
  ])
  return message
}

async function usageOf(child: ChildProcess): Promise<Usage> {
  const answer = answerOf(child)
  child.send('usage')
  return (await answer) as Usage
}

/** @returns how long each request took, in milliseconds. */
async function sendFor(
  timeMs: number,
  bodies: readonly Buffer[],
  send: (body: Buffer) => Promise<void>,
): Promise<number[]> {
  const end = performance.now() + timeMs
  const latencies: number[] = []
  let next = 0
  const sender = async (): Promise<void> => {
    while (performance.now() < end) {
      const startedAt = performance.now()
      const body = bodies[next % bodies.length]
      next += 1
      if (body) await send(body)
      latencies.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, sender))
  return latencies
}

/** Sends a body until it is acknowledged. A server that is ahead of its consumers may answer 503 once the budget of the disk is used: then it is asked again, as senders do. */
async function post(agent: Agent, port: number, body: Buffer): Promise<void> {
  for (;;) {
    const status = await postOnce(agent, port, body)
    if (status === 200) return
    assert.equal(status, 503)
    await sleep(fullWaitMs)
  }
}

const fullWaitMs = 200

function postOnce(agent: Agent, port: number, body: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Basic ${btoa('k:')}`, 'content-length': body.length }
    request({ agent, host: '127.0.0.1', port, method: 'POST', path: '/v1/batch', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
      .once('error', reject)
      .end(body)
  })
}

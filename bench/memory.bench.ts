import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Event, systemClock, systemRandom } from '@sluice/core'
import type { Transport } from '@sluice/delivery'
import { openSqliteStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { type Figure, runBench } from './bench-kit.ts'
import { loadCorpus } from './corpus.ts'
import { nullTransport } from './flow-case.ts'

/** A destination that never answers: what is sent to it waits. */
const silentTransport: Transport = {
  send: (_, { signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
}

type Workspaces = NonNullable<Parameters<typeof createSluice>[0]['workspace']>

async function open(workspace: Workspaces, transport: Transport, folder: string): Promise<Sluice> {
  const path = join(folder, 'sluice.db')
  const store = await openSqliteStore({ clock: systemClock, random: systemRandom, path })
  return createSluice({ store, transport, workspace, sandbox: { mode: 'in-process' } })
}

/** KiB that the process is larger after `grow`, by thing. Everything that happens once has happened before. */
async function measureGrowth(
  things: number,
  opening: () => readonly [workspace: Workspaces, transport: Transport],
  grow: (sluice: Sluice, from: number, to: number) => Promise<void>,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const sluice = await open(...opening(), folder)
  // The first tenth fills pools and compiles code.
  const warm = Math.ceil(things / 10)
  await grow(sluice, 0, warm)
  const before = await settledBytes()
  await grow(sluice, warm, things)
  const after = await settledBytes()
  await sluice.stop(0)
  rmSync(folder, { recursive: true })
  return (after - before) / 1_024 / (things - warm)
}

/** Resident bytes, after collections have given back what they could. */
async function settledBytes(): Promise<number> {
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return process.memoryUsage().rss
}

const { events } = loadCorpus()
const callEvents = 20
const oneWebhook: Workspaces = {
  id: 'w',
  sources: [{ id: 's', writeKey: 'k' }],
  destinations: [{ id: 'd', type: 'WEBHOOK', settings: { webhookUrl: 'http://null.test/' } }],
  connections: [{ source: 's', destination: 'd' }],
}
const webhooks = (count: number): Workspaces => ({
  id: 'w',
  sources: [{ id: 's', writeKey: 'k' }],
  destinations: Array.from({ length: count }, (_, n) => ({
    id: `d${n}`,
    type: 'WEBHOOK',
    settings: { webhookUrl: `http://null-${n}.test/` },
  })),
  connections: Array.from({ length: count }, (_, n) => ({ source: 's', destination: `d${n}` })),
})

async function ingest(sluice: Sluice, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) {
    const start = (n * callEvents) % events.length
    const result = await sluice.ingest('k', events.slice(start, start + callEvents))
    assert.ok(result.ok)
  }
}

const calls = 2_500
const figures: readonly Figure[] = [
  {
    name: 'per 1,000 events that wait for a destination (50,000 wait)',
    unit: 'KiB',
    goal: 'none',
    measure: async () =>
      ((await measureGrowth(calls, () => [oneWebhook, silentTransport], ingest)) * 1_000) / callEvents,
  },
  {
    name: 'per workspace with a source and a destination, one event each (200 workspaces)',
    unit: 'KiB',
    goal: 'none',
    measure: () => measureWorkspaces(200),
  },
  {
    name: 'per destination of a workspace (500 destinations)',
    unit: 'KiB',
    goal: 'none',
    measure: () =>
      measureGrowth(
        500,
        () => [webhooks(0), nullTransport],
        async (sluice, _, to) => {
          await sluice.updateWorkspace(webhooks(to))
          await ingest(sluice, 0, 1)
          await sluice.settled()
        },
      ),
  },
  {
    name: 'per event model of 50 keys, ten events each (1,000 models)',
    unit: 'KiB',
    goal: 'none',
    measure: () =>
      measureGrowth(
        1_000,
        () => [{ ...oneWebhook, destinations: [], connections: [] }, nullTransport],
        async (sluice, from, to) => {
          for (let n = from; n < to; n += 1) await sluice.ingest('k', modelEvents(n))
          await sluice.settled()
        },
      ),
  },
]

async function measureWorkspaces(count: number): Promise<number> {
  const workspace = (n: number) => ({
    id: `w${n}`,
    sources: [{ id: 's', writeKey: `k${n}` }],
    destinations: [{ id: 'd', type: 'WEBHOOK' as const, settings: { webhookUrl: 'http://null.test/' } }],
    connections: [{ source: 's', destination: 'd' }],
  })
  return measureGrowth(
    count,
    () => [{ workspaces: [workspace(0)] }, nullTransport],
    async (sluice, from, to) => {
      await sluice.updateWorkspace({ workspaces: Array.from({ length: to }, (_, n) => workspace(n)) })
      for (let n = from; n < to; n += 1) await sluice.ingest(`k${n}`, events.slice(0, 1))
      await sluice.settled()
    },
  )
}

/** Ten events of a model of its own. */
function modelEvents(n: number): readonly Event[] {
  return events.slice(0, 10).map((event) => ({ ...event, event: `Model ${n}` }))
}

await runBench('How much memory does what is kept take?', () => [], figures)

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SourcedEvent, systemClock, systemRandom } from '@sluice/core'
import { createDeliverStage, type Transport } from '@sluice/delivery'
import { createDestinationTransformStage, webhook } from '@sluice/destinations'
import {
  createSuppressionRecheck,
  type DestinationLine,
  type Flow,
  processBatch,
  type SourcedRequest,
} from '@sluice/pipeline'
import { createSuppressionIndex, createSuppressStage } from '@sluice/regulation'
import { createSandbox } from '@sluice/sandbox'
import { createObserveStage } from '@sluice/schema'
import { createMemoryStore, openSqliteStore } from '@sluice/storage'
import {
  createTransformationPrograms,
  createUserTransformStage,
  transformationVersionId,
} from '@sluice/transformations'
import { createSluice } from 'sluice'
import { type OpenCase, runBench } from './bench-kit.ts'
import type { Corpus } from './corpus.ts'

const batchSize = 200
const light = `export function transformEvent(event) {
  if (event.event === 'Debug Ping') return null
  event.properties.seen = true
  event.context.traits = undefined
  return event
}`
const settings = { webhookUrl: 'http://null.test/', webhookMethod: 'POST' as const, headers: [] }
const nullTransport: Transport = { send: async () => ({ kind: 'reply', status: 200, headers: {}, body: '' }) }

/** The flow from parsed events to requests handed to a transport that goes nowhere. */
async function flowCase({ events }: Corpus, code?: string): Promise<OpenCase> {
  const sandbox = await createSandbox()
  const { regulations } = createMemoryStore({ clock: systemClock, random: systemRandom })
  const index = createSuppressionIndex({ store: regulations, clock: systemClock, random: systemRandom })
  await index.catchUp()
  const suppress = createSuppressStage(index)
  const programs = createTransformationPrograms({ sandbox })
  const transformation = { versionId: transformationVersionId(light, []), name: 'light', code: light, libraries: [] }
  const destination = { id: 'hook', name: 'hook', type: webhook.type }
  const line: DestinationLine = {
    destinationId: 'hook',
    transform: code === undefined ? [] : [createUserTransformStage({ programs, transformation })],
    destinationTransform: createDestinationTransformStage({
      definition: webhook,
      settings,
      destination,
      clock: systemClock,
    }),
    deliver: createDeliverStage<SourcedRequest>({
      transport: nullTransport,
      clock: systemClock,
      random: systemRandom,
      destination: { definition: webhook, settings },
      reasonsToDrop: createSuppressionRecheck({ suppress, clock: systemClock }),
    }),
  }
  const flow: Flow = {
    suppress,
    observe: createObserveStage({ clock: systemClock, random: systemRandom }),
    destinations: [line],
  }
  const batch = events.slice(0, batchSize).map(
    (event): SourcedEvent => ({
      workspaceId: 'w',
      sourceId: 's',
      writeKey: 'k',
      event,
    }),
  )
  return {
    events: batch.length,
    check: async () => {
      const results = (await processBatch(flow, batch)).destinations.get('hook') ?? []
      assert.equal(results.length, batch.length)
      assert.equal(results.filter(({ outcome }) => outcome === 'failed').length, 0)
      assert.equal(
        flow.observe.take().versions.reduce((sum, { count }) => sum + count, 0),
        batch.length,
      )
    },
    run: async () => {
      await processBatch(flow, batch)
      flow.observe.take()
    },
    close: async () => {
      await programs.close()
      await sandbox.close()
    },
  }
}

/** The same through ingestion and the event log, until everything has ended. */
async function sluiceCase({ events }: Corpus, synchronous: 'full' | 'normal'): Promise<OpenCase> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const store = await openSqliteStore({
    path: join(folder, 'sluice.db'),
    clock: systemClock,
    random: systemRandom,
    synchronous,
  })
  const sluice = await createSluice({
    store,
    transport: nullTransport,
    workspace: {
      id: 'bench',
      sources: [{ id: 's', writeKey: 'k' }],
      destinations: [{ id: 'hook', type: 'WEBHOOK', settings, transformation: { code: light } }],
      connections: [{ source: 's', destination: 'hook' }],
    },
  })
  const batch = events.slice(0, batchSize)
  const run = async (): Promise<void> => {
    for (let i = 0; i < batch.length; i += 20) await sluice.ingest('k', batch.slice(i, i + 20))
    await sluice.settled()
  }
  return {
    events: batch.length,
    check: async () => {
      await run()
      const [stats] = await sluice.stats()
      assert.equal(stats?.accepted, batch.length)
      assert.equal(stats?.destinations[0]?.pending, 0)
    },
    run,
    close: async () => {
      await sluice.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

await runBench('What does the whole flow cost per event, from a parsed event to a request?', (corpus) => [
  { name: 'suppress, observe, webhook; no log', open: () => flowCase(corpus) },
  { name: 'the same with a light transformation', open: () => flowCase(corpus, light) },
  { name: 'the same through ingest and SQLite, synchronous NORMAL', open: () => sluiceCase(corpus, 'normal') },
  { name: 'the same through ingest and SQLite, synchronous FULL', open: () => sluiceCase(corpus, 'full') },
])

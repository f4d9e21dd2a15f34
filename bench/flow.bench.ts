import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { createSluice, type SluiceOptions } from 'sluice'
import type { OpenCase } from './bench-case.ts'
import { runBench } from './bench-kit.ts'
import type { Corpus } from './corpus.ts'
import { batchSize, flowCase, light, nullTransport, settings } from './flow-case.ts'

/** The same through ingestion and the event log, until everything has ended. */
async function sluiceCase(
  { events }: Corpus,
  synchronous: 'full' | 'normal',
  more: Pick<SluiceOptions, 'receipts' | 'telemetry'> = {},
): Promise<OpenCase> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const store = await openSqliteStore({
    path: join(folder, 'sluice.db'),
    clock: systemClock,
    random: systemRandom,
    synchronous,
  })
  const sluice = await createSluice({
    ...more,
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
  { name: 'the same with a light transformation', open: () => flowCase(corpus, { code: light }) },
  { name: 'the same through ingest and SQLite, synchronous NORMAL', open: () => sluiceCase(corpus, 'normal') },
  {
    name: 'the same through ingest and SQLite, synchronous NORMAL, no receipts',
    open: () => sluiceCase(corpus, 'normal', { receipts: 'off' }),
  },
  {
    name: 'the same through ingest and SQLite, synchronous NORMAL, OpenTelemetry without an SDK',
    open: () => sluiceCase(corpus, 'normal', { telemetry: 'opentelemetry' }),
  },
  { name: 'the same through ingest and SQLite, synchronous FULL', open: () => sluiceCase(corpus, 'full') },
])

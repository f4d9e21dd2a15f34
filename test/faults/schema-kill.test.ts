import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom, systemClock, systemRandom } from '@sluice/core'
import type { LogBatch, Store } from '@sluice/pipeline'
import { createCatalogue, createObservers, createObserveStage, type VersionDelta } from '@sluice/schema'
import { openSqliteStore } from '@sluice/storage'
import { describe, expect, it } from 'vitest'

/** Runs an engine on the store of the folder; `load` makes it ingest events of ever changing shapes until it is killed. */
const child = `
const [, folder, round, load] = process.argv
const { systemClock: clock, systemRandom: random, createSeededRandom } = await import('@sluice/core')
const { createRecordingTransport } = await import('@sluice/delivery')
const { builtInDestinations, createDestinationRegistry } = await import('@sluice/destinations')
const { createEngine } = await import('@sluice/pipeline')
const { createSuppressionIndex, createSuppressStage } = await import('@sluice/regulation')
const { createSandbox } = await import('@sluice/sandbox')
const { createObservers } = await import('@sluice/schema')
const { createTransformationPrograms } = await import('@sluice/transformations')
const { openSqliteStore } = await import('@sluice/storage')
const store = await openSqliteStore({ path: folder + '/sluice.db', clock, random, synchronous: 'normal' })
const index = createSuppressionIndex({ store: store.regulations, clock, random })
await index.catchUp()
const sandbox = await createSandbox({ clock, random, workers: 1 })
const engine = createEngine({
  store, clock, random, retention: { ageMs: 1e12, bytesMax: 1e12 },
  suppress: createSuppressStage(index),
  observers: createObservers({ clock, random }),
  destinations: createDestinationRegistry(builtInDestinations),
  programs: createTransformationPrograms({ sandbox }),
  transport: createRecordingTransport(),
  onError: (error) => console.error(error),
})
const sources = [{ id: 'web', name: 'web', writeKey: 'web-key', enabled: true }]
await engine.use([{ id: 'shop', name: 'shop', sources, destinations: [], connections: [], accessTokens: [] }])
if (load) {
  const seeded = createSeededRandom(Number(round))
  const dice = (sides) => seeded.fill(new Uint8Array(1))[0] % sides
  for (let call = 0; ; call++) {
    const batch = Array.from({ length: 10 }, (_, i) => ({
      type: dice(4) ? 'track' : 'page', event: 'Event ' + dice(5), userId: 'u' + dice(50), messageId: [round, call, i].join('-'),
      properties: Object.fromEntries(Array.from({ length: dice(6) }, () => ['key' + dice(8), [1, 'x', true, null, [1], {}][dice(6)]])),
    }))
    await engine.ingest({ writeKey: 'web-key', type: 'batch', payload: { batch } })
    console.log('ok')
  }
}
await engine.settled()
await engine.stop()
await sandbox.close()
await store.close()
`

function run(folder: string, round: number, killAfterMs?: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const args = [
      '--input-type=module',
      '-e',
      child,
      folder,
      String(round),
      ...(killAfterMs === undefined ? [] : ['load']),
    ]
    const running = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'pipe'] })
    let answered = 0
    let errors = ''
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (answered === 0 && killAfterMs !== undefined) setTimeout(() => running.kill('SIGKILL'), killAfterMs)
      answered += text.split('\n').length - 1
    })
    running.on('close', () => (errors === '' ? resolve(answered) : reject(new Error(errors))))
  })
}

async function wholeLog(store: Store): Promise<readonly LogBatch[]> {
  const batches: LogBatch[] = []
  for (;;) {
    const more = await store.log.read('shop', batches.at(-1)?.position ?? 0, 1_000)
    if (more.length === 0) return batches
    batches.push(...more)
  }
}

/** What the catalogue should say, counted anew from the log in one go. */
async function recount(batches: readonly LogBatch[]): Promise<readonly VersionDelta[]> {
  const limits = { versionsMax: 10_000 }
  const stage = createObserveStage({ clock: createManualClock(), random: createSeededRandom(1), limits })
  for (const { workspaceId, sourceId, writeKey, receivedAt, events } of batches)
    await stage.run(
      events.map((event) => ({ workspaceId, sourceId, writeKey, event, receivedAt })),
      new AbortController().signal,
    )
  return stage.take().versions
}

describe('killing a process that learns schemas', () => {
  it('leaves counts, schemas and times as a fresh count of the log has them, and values within their bound', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-schema-kill-'))
    let answered = 0
    for (const [round, afterMs] of [30, 120, 250, 400].entries()) answered += await run(folder, round, afterMs)
    expect(answered).toBeGreaterThan(20)
    await run(folder, 9)

    const store = await openSqliteStore({ path: join(folder, 'sluice.db'), clock: systemClock, random: systemRandom })
    const batches = await wholeLog(store)
    expect(batches.length).toBeGreaterThanOrEqual(answered)
    const versions = await recount(batches)
    const catalogue = createCatalogue({
      store: store.schema,
      observers: createObservers({ clock: systemClock, random: systemRandom }),
    })
    for (const model of await store.schema.models('shop')) {
      const expected = versions.filter(
        ({ eventType, eventIdentifier }) => eventType === model.eventType && eventIdentifier === model.eventIdentifier,
      )
      const stored = await store.schema.versions('shop', model.eventId)
      const shown = ({ schema, firstSeen, lastSeen }: VersionDelta | (typeof stored)[number], count: number): string =>
        JSON.stringify([Object.entries(schema).sort(), firstSeen, lastSeen, count])
      expect(stored.map((version) => shown(version, version.totalCount)).sort()).toEqual(
        expected.map((version) => shown(version, version.count)).sort(),
      )
      expect(model.totalCount).toBe(expected.reduce((sum, { count }) => sum + count, 0))
      const keys = new Map<string, number>()
      for (const { schema, count } of expected)
        for (const key of Object.keys(schema)) keys.set(key, (keys.get(key) ?? 0) + count)
      expect(await catalogue.keyCounts('shop', model.eventId)).toEqual(Object.fromEntries(keys))
      // Counters of values may lack what was younger than ten seconds at a kill, and have nothing that never was.
      for (const [path, counter] of await store.schema.values('shop', model.eventId))
        expect(counter.observations).toBeLessThanOrEqual(keys.get(path) ?? 0)
      expect((await store.schema.samples('shop', model.eventId)).length).toBe(Math.min(5, model.totalCount))
    }
    expect(await store.schema.models('shop')).toHaveLength(6)
    await store.close()
    rmSync(folder, { recursive: true })
  }, 60_000)
})

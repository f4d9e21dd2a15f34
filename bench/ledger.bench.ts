import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom, uuidV7From } from '@sluice/core'
import { createCertificates, createLedger, createSuppressionIndex, verifyLedger } from '@sluice/regulation'
import { createFolderLedgerPlace, openSqliteStore } from '@sluice/storage'
import { type FigureResult, measureRoundTrip, runBench } from './bench-kit.ts'
import { loadCorpus } from './corpus.ts'

/** Regulations in the ledger; `--entries` of the command. */
const entries = Number(process.env['BENCH_ENTRIES'] ?? 20_000)
/** Regulations of one call share a line. Most calls have one, imports thousands. */
const entriesPerLine = 10
const workspaceId = 'workspace-1'
const ledgerKey = 'key-of-the-fingerprints-of-this-bench'
const firstAt = Date.UTC(2026, 0, 1)
/** As many are written to the file at a time. */
const linesPerWrite = 1_000

const userOf = (n: number): string => `user-${n.toString(36)}-of-shop`
/** Ids sort by time, like those that Sluice makes. */
const idOf = (n: number): string => `${uuidV7From(firstAt + n).slice(0, 24)}${n.toString(16).padStart(12, '0')}`
const timeOf = (n: number): string => new Date(firstAt + n).toISOString()
const ownJob = { workspaceId, destinationId: '', attributes: { userId: userOf(entries - 1) }, attempts: 1 } as const

function recordOf(n: number) {
  const fingerprinted = JSON.stringify([workspaceId, 'userId', userOf(n)])
  return {
    kind: 'regulated',
    id: idOf(n),
    workspaceId,
    regulationType: n === entries - 1 ? 'suppress_with_delete' : 'suppress',
    sourceIds: [],
    destinationIds: [],
    createdAt: timeOf(n),
    fingerprints: { userId: createHmac('sha256', ledgerKey).update(fingerprinted).digest('base64url') },
  }
}

/** Writes a ledger as one process leaves it, without a sync for each line. */
async function writeLedger(folder: string): Promise<void> {
  mkdirSync(folder)
  await writeFile(join(folder, 'key'), `${ledgerKey}\n`)
  await writeFile(join(folder, 'id'), 'ledger-of-this-bench\n')
  const file = await open(join(folder, 'chain.jsonl'), 'w')
  let previous = ''
  let texts: string[] = []
  for (let n = 0, number = 1; n < entries; n += entriesPerLine, number += 1) {
    const length = Math.min(entriesPerLine, entries - n)
    const records = Array.from({ length }, (_, i) => recordOf(n + i))
    const text = JSON.stringify({ number, previous, at: timeOf(n), records })
    previous = createHash('sha256').update(text).digest('base64url')
    texts.push(`${text}\n`)
    if (texts.length < linesPerWrite) continue
    await file.write(texts.join(''))
    texts = []
  }
  await file.write(texts.join(''))
  await file.close()
}

/** Starts as a process does, as far as the ledger and the suppression index go. */
async function start(folder: string) {
  const parts = { clock: systemClock, random: systemRandom }
  const store = await openSqliteStore({ path: join(folder, 'data', 'sluice.db'), ...parts })
  const place = createFolderLedgerPlace(join(folder, 'ledger'), systemRandom)
  const onError = (error: unknown): void => {
    throw error
  }
  const begun = performance.now()
  const ledger = createLedger({ place, store: store.regulations, ...parts, onError })
  const { putBack } = await ledger.compare()
  await ledger.settle()
  const comparedMs = performance.now() - begun
  const index = createSuppressionIndex({ store: store.regulations, ...parts, aliases: () => ledger.aliases, onError })
  await index.catchUp()
  const allMs = performance.now() - begun
  const userId = userOf(entries - 1)
  assert.deepEqual(await index.check([{ workspaceId, sourceId: 's', userId }]), [true])
  const close = async (): Promise<void> => {
    await index.close()
    await ledger.close()
    await store.close()
  }
  return { store, place, putBack, comparedMs, allMs, close }
}

/** Returns how long a certificate of the last entry takes: mainly, to find its line. */
async function certifyMs({ store, place }: Awaited<ReturnType<typeof start>>): Promise<number> {
  const nothing = { searched: [], notSearched: [] }
  const certificates = createCertificates({
    place,
    store: store.regulations,
    clock: systemClock,
    processor: 'bench',
    destinations: () => [],
    search: async () => nothing,
    searchDestinations: async () => nothing,
  })
  const id = idOf(entries - 1)
  const now = systemClock.now()
  const job = { ...ownJob, id, regulationId: id, status: 'complete', dueAt: now, updatedAt: now } as const
  await store.regulations.add([], [job])
  const begun = performance.now()
  const certificate = await certificates.make(workspaceId, id)
  assert.equal(certificate?.ledger.line, Math.ceil(entries / entriesPerLine))
  return performance.now() - begun
}

async function measureLedger(): Promise<readonly FigureResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-ledger-bench-'))
  try {
    await writeLedger(join(folder, 'ledger'))
    const restored = await start(folder)
    assert.equal(restored.putBack, entries)
    await restored.close()
    const matching = await start(folder)
    assert.equal(matching.putBack, 0)
    const [firstMs, laterMs] = [await certifyMs(matching), await certifyMs(matching)]
    const verifyBegun = performance.now()
    for await (const { problem, regulations } of verifyLedger(matching.place))
      assert.deepEqual([problem, regulations], [undefined, entries])
    const verifyMs = performance.now() - verifyBegun
    await matching.close()
    const rt = await measureRoundTrip(loadCorpus())
    const of = `${entries.toLocaleString('en')} entries`
    const perSecond = (ms: number): number => entries / (ms / 1_000)
    return [
      {
        name: `put back into an empty store, ${of}`,
        unit: 'entries/s',
        goal: 'none',
        value: perSecond(restored.comparedMs),
      },
      {
        name: `put back, time per entry`,
        unit: 'RT',
        goal: 'none',
        value: (restored.comparedMs * 1_000) / entries / rt,
      },
      {
        name: `start that puts back, suppression index included, ${of}`,
        unit: 's',
        goal: 'none',
        value: restored.allMs / 1_000,
      },
      {
        name: `compare a ledger that matches, ${of}`,
        unit: 'ms',
        goal: 'independent of the number',
        value: matching.comparedMs,
      },
      {
        name: `start with a ledger that matches, suppression index included, ${of}`,
        unit: 'entries/s',
        goal: 'none',
        value: perSecond(matching.allMs),
      },
      { name: `the same`, unit: 's', goal: 'seconds with 10,000,000', value: matching.allMs / 1_000 },
      {
        name: `find the last entry for a certificate, the first time, ${of}`,
        unit: 'ms',
        goal: 'none',
        value: firstMs,
      },
      { name: `find it again`, unit: 'ms', goal: 'bounded', value: laterMs },
      { name: `verify the whole ledger, ${of}`, unit: 'entries/s', goal: 'none', value: perSecond(verifyMs) },
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const figures = await measureLedger()
await runBench(
  'How long do a start, a restore and a certificate take with a large ledger?',
  () => [],
  [],
  () => figures,
)

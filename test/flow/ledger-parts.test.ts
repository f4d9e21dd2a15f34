import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom } from '@sluice/core'
import { createCertificates, createLedger, type LedgerPlace, verifyLedger } from '@sluice/regulation'
import { createFolderLedgerPlace, createMemoryStore } from '@sluice/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** Two parts of a chain, and what is not a part yet. */
const lines = 11_000
const clock = createManualClock()
const idOf = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const attributes = { userId: 'u' }

let folder: string
let chain: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-parts-'))
  chain = join(folder, 'chain.jsonl')
  await Promise.all([writeFile(join(folder, 'id'), 'ledger\n'), writeFile(join(folder, 'key'), 'key\n')])
  let previous = ''
  const texts: string[] = []
  for (let number = 1; number <= lines; number += 1) {
    const regulation = {
      workspaceId: 'w',
      id: idOf(number),
      regulationType: 'suppress_with_delete',
      sourceIds: [],
      destinationIds: [],
    }
    const records = [{ kind: 'regulated', ...regulation, createdAt: '', fingerprints: { userId: `f${number}` } }]
    const text = JSON.stringify({ number, previous, at: '2026-01-01T00:00:00.000Z', records })
    previous = createHash('sha256').update(text).digest('base64url')
    texts.push(`${text}\n`)
  }
  await writeFile(chain, texts.join(''))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Changes a line, which keeps its length. */
async function change(number: number): Promise<void> {
  const text = await readFile(chain, 'utf8')
  await writeFile(chain, text.replace(`"userId":"f${number}"`, `"userId":"x${number}"`))
}

function scene() {
  const random = createSeededRandom(3)
  const { regulations: store } = createMemoryStore({ clock, random })
  const kept = createFolderLedgerPlace(folder, random)
  let linesRead = 0
  const place: LedgerPlace = {
    ...kept,
    read: async (...args) => {
      const read = await kept.read(...args)
      linesRead += read.length
      return read
    },
  }
  const nothing = { searched: [], notSearched: [] }
  const certificates = createCertificates({
    place,
    store,
    clock,
    processor: 'test',
    destinations: () => [],
    search: async () => nothing,
    searchDestinations: async () => nothing,
  })
  /** Certifies a regulation, whose deletion is complete. @returns its line, and how many lines were read to find it. */
  const certify = async (number: number) => {
    const id = idOf(number)
    const job = { id, workspaceId: 'w', regulationId: id, destinationId: '', attributes, attempts: 1 }
    const regulation = { workspaceId: 'w', id, attributes, canceled: false, sourceIds: [], destinationIds: [] }
    await store.add(
      [{ ...regulation, regulationType: 'suppress_with_delete', createdAt: '2026-01-01T00:00:00.000Z' }],
      [{ ...job, status: 'complete', dueAt: 0, updatedAt: 0 }],
    )
    linesRead = 0
    const certificate = await certificates.make('w', id)
    return { line: certificate?.ledger.line, linesRead }
  }
  const start = async () => {
    linesRead = 0
    const ledger = createLedger({ place, store, clock, random, onError: () => {} })
    const { putBack } = await ledger.compare()
    await ledger.settle()
    return { ledger, putBack, linesRead }
  }
  return { place, certify, start }
}

describe('a ledger with many lines', () => {
  it('is read at a start as far as the store does not know it', async () => {
    const { start } = scene()
    expect((await start()).putBack).toBe(lines)
    expect(await start()).toMatchObject({ putBack: 0, linesRead: 1 })
  })

  it('is read in part for a certificate, once its parts are known', async () => {
    const { certify } = scene()
    expect(await certify(lines)).toEqual({ line: lines, linesRead: lines })
    expect((await certify(4_000)).linesRead).toBeLessThanOrEqual(5_000)
    expect(await certify(7_000)).toMatchObject({ line: 7_000 })
    expect((await certify(lines - 1)).linesRead).toBeLessThanOrEqual(2_000)
  })

  it('has its parts known without a certificate: the process that tends to the ledger checks what was added', async () => {
    const { certify, start } = scene()
    const { ledger } = await start()
    await ledger.checkParts()
    expect((await certify(lines)).linesRead).toBeLessThanOrEqual(2_000)
    expect(await certify(9_999)).toMatchObject({ line: 9_999 })
  })

  it('certifies nothing in a part that was changed', async () => {
    const { certify } = scene()
    await certify(lines)
    await change(4_000)
    // The line itself, and one before it in the same part.
    for (const number of [4_000, 4_500])
      await expect(certify(number)).rejects.toThrow(/chain chain in .+ (was changed between|line 4001|does not follow)/)
  })

  it('shows a change in a part that no certificate needs when all of it is verified', async () => {
    const { certify, place } = scene()
    await certify(lines)
    await change(4_000)
    expect(await certify(7_000)).toMatchObject({ line: 7_000 })
    const reports = []
    for await (const report of verifyLedger(place)) reports.push(report)
    expect(reports).toMatchObject([{ lines: 4_000, problem: expect.stringMatching(/line 4001 .+ does not follow/) }])
  })

  it('certifies nothing behind lines that are missing', async () => {
    const { certify } = scene()
    await certify(lines)
    await truncate(chain, 1_000_000)
    await expect(certify(lines)).rejects.toThrow(/missing or shorter than its 10000 lines/)
  })
})

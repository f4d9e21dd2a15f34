import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Loader } from '@sluice/destinations'
import {
  createDuckDBWarehouse,
  createLoader,
  type TableRow,
  type Warehouse,
  type WarehouseSession,
  warehouseDestinations,
} from '@sluice/warehouse'
import { afterAll, describe, expect, it } from 'vitest'
import { noDuckDB, queryDuckDB } from '../support/databases/duckdb.ts'
import { row } from './describe-warehouse.ts'

const folder = await mkdtemp(join(tmpdir(), 'sluice-faults-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
let files = 0
const live = new AbortController().signal
type Requests = Parameters<Loader['add']>[1]

const requestsOf = (...rows: readonly unknown[]): Requests => [{ body: { JSON: { rows } } }] as unknown as Requests

/** What a destination does with events: it leaves out those that are refused when they are processed again. */
async function loadAll(
  loader: Loader,
  events: readonly Requests[],
  attempts = 3,
): Promise<readonly (string | undefined)[]> {
  const before = loader.refusals
  const reasons = events.map((requests) => loader.refusal?.(requests))
  for (const [at, requests] of events.entries()) if (reasons[at] === undefined) loader.add({}, requests)
  try {
    await loader.load(randomUUID(), live)
    loader.discard()
    return reasons
  } catch (error) {
    loader.discard()
    if (loader.refusals === before || attempts === 1) throw error
    return loadAll(loader, events, attempts - 1)
  }
}

describe.skipIf(noDuckDB)('a fault of our own in one event', () => {
  function scene(more: { readonly windowMs?: number; wrap?(session: WarehouseSession): WarehouseSession } = {}) {
    files += 1
    const path = join(folder, `${files}.duckdb`)
    const { wrap = (session) => session, ...options } = more
    const file = createDuckDBWarehouse({ path, namespace: 'shop' })
    const warehouse: Warehouse = { ...file, connect: async (signal) => wrap(await file.connect(signal)) }
    const loader = createLoader(
      { warehouse, pace: { ms: 1, eventsMax: 1 }, mode: 'replace', nameOf: (name) => name, ...options },
      { destinationId: 'd', now: () => 0 },
    )
    const ids = async (table = 'shop.tracks') =>
      (await queryDuckDB(path, `select id from ${table} order by id`).catch(() => [])).map(({ id }) => id)
    return { path, loader, ids }
  }
  const track = (id: string): TableRow => row('tracks', { id })
  const others = ['a', 'b', 'c'].map((id) => requestsOf(track(id)))

  const unmade = [
    { what: 'without names of its columns', rows: [track('z'), { table: 'tracks', types: [], values: ['z'] }] },
    { what: 'without values', rows: [track('z'), { table: 'tracks', names: ['id'], types: ['string'] }] },
  ]
  for (const { what, rows } of unmade)
    it(`in a row ${what} refuses this event, and loads the others, here and in another process`, async () => {
      const { path, loader, ids } = scene()
      const apart = warehouseDestinations({})
        .find(({ type }) => type === 'DUCKDB')
        ?.load?.open(
          { path, namespace: 'apart', syncSeconds: 1, syncEvents: 9, newTablesPerHour: 9, loadMode: 'merge' },
          { workspaceId: 'w', destinationId: 'd', now: () => 0 },
        )
      const broken = requestsOf(...rows)
      for (const [each, table] of [[loader, 'shop.tracks'] as const, [apart as Loader, 'apart.tracks'] as const]) {
        const reasons = await loadAll(each, [...others.slice(0, 2), broken, ...others.slice(2)])
        expect(reasons).toEqual([
          undefined,
          undefined,
          expect.stringContaining('cannot be collected: TypeError'),
          undefined,
        ])
        expect(await ids(table)).toEqual(['a', 'b', 'c'])
      }
    })

  it('while a load is prepared refuses this event, and loads the others', async () => {
    // No time is so long ago: a load cannot say how far back it looks for rows that have a time.
    const { loader, ids } = scene({ windowMs: 1e20 })
    const dated = requestsOf(row('pages', { id: 'p', received_at: ['datetime', '2026-01-01T00:00:00.000Z'] }))
    const reasons = await loadAll(loader, [...others, dated])
    expect(reasons).toEqual([undefined, undefined, undefined, expect.stringContaining('table pages: RangeError')])
    expect(await ids()).toEqual(['a', 'b', 'c'])
    // Also alone.
    expect(await loadAll(loader, [dated])).toEqual([expect.stringContaining('RangeError')])
  })

  /** A driver that cannot write some row. */
  const failingWith =
    (isBad: (id: unknown) => boolean) =>
    (session: WarehouseSession): WarehouseSession => {
      const check = ({ tables }: Parameters<WarehouseSession['load']>[0]): void => {
        for (const { rows, columns } of tables)
          for (const line of rows())
            if (isBad(line[columns.findIndex(({ name }) => name === 'id')])) throw new TypeError('wires crossed')
      }
      return {
        columnsMax: session.columnsMax ?? 0,
        schema: () => session.schema(),
        evolve: (changes) => session.evolve(changes),
        async load(load) {
          check(load)
          await session.load(load)
        },
        async tryOut(load) {
          check(load)
          await session.tryOut?.(load)
        },
        settle: (loadId) => session.settle(loadId),
        erase: (erasure) => session.erase(erasure),
        search: (search) => session.search(search),
        close: () => session.close(),
      }
    }

  it('while rows are written refuses this event, and loads the others', async () => {
    const { loader, ids } = scene({ wrap: failingWith((id) => id === 'b') })
    const reasons = await loadAll(loader, others)
    expect(reasons).toEqual([undefined, expect.stringContaining('table tracks: TypeError: wires crossed'), undefined])
    expect(await ids()).toEqual(['a', 'c'])
  })

  it('that is there with every event is none of theirs: the load is tried again', async () => {
    const { loader } = scene({ wrap: failingWith(() => true) })
    await expect(loadAll(loader, others)).rejects.toThrow('wires crossed')
    expect(loader.refusals).toBe(0)
  })
})

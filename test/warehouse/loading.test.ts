import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { queryDuckDB } from '@sluice/warehouse'
import { createSluice, type SluiceOptions } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { noDuckDB, queryDuckDB as writeDuckDB } from '../support/databases/duckdb.ts'
import { eventually } from '../support/eventually.ts'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A workspace with one warehouse, and what is in it. */
async function scene(settings: object = {}, options: Partial<SluiceOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-loading-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'w.duckdb')
  const workspaceWith = (more: object) => ({
    id: 'w',
    sources: [{ id: 's', writeKey: 'k' }],
    destinations: [{ id: 'duck', type: 'DUCKDB', settings: { path, syncSeconds: 3_600, ...settings, ...more } }],
    connections: [{ source: 's', destination: 'duck' }],
  })
  const open = async (more: Partial<SluiceOptions> = {}) => {
    const sluice = await createSluice({
      workspace: workspaceWith({}),
      sandbox: { mode: 'in-process' },
      ...options,
      ...more,
    })
    closing.push(() => sluice.stop(1_000))
    return sluice
  }
  const errors: string[] = []
  const sluice = await open({ onError: (error) => errors.push((error as Error).message), ...options })
  /** What it has yet to load, and what has failed. Reading the file each time would take the time that loads need. */
  const state = async () => ({ pending: (await sluice.stats('w'))[0]?.destinations[0]?.pending, errors })
  const send = (messageId: string, more: object = {}) =>
    sluice.ingest('k', [{ type: 'track', event: 'A', userId: 'u', messageId, ...more }])
  const ids = async () =>
    (await queryDuckDB(path, 'select id from sluice.tracks order by id').catch(() => [])).map(({ id }) => id)
  return { sluice, open, send, ids, state, path, folder, workspaceWith }
}

/** Where a link leads, undefined when it is gone. */
function readlink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

describe.skipIf(noDuckDB)('a warehouse', () => {
  it('gets events when a caller waits for them, and they are pending until then', async () => {
    const { sluice, send, ids, state } = await scene()
    await send('m1')
    await send('m2')
    expect([await state(), await ids()]).toEqual([{ pending: 2, errors: [] }, []])
    await sluice.settled()
    expect([await state(), await ids()]).toEqual([{ pending: 0, errors: [] }, ['m1', 'm2']])
  })

  it('gets them after the seconds of its settings', async () => {
    const { send, ids, state } = await scene({ syncSeconds: 1 })
    await send('m1')
    await eventually(state).toEqual({ pending: 0, errors: [] })
    expect(await ids()).toEqual(['m1'])
  })

  it('gets them after the number of events of its settings', async () => {
    const { send, ids, state } = await scene({ syncEvents: 3 })
    for (const id of ['m1', 'm2', 'm3']) await send(id)
    await eventually(state).toEqual({ pending: 0, errors: [] })
    expect(await ids()).toEqual(['m1', 'm2', 'm3'])
  })

  it('leaves its file closed when a query of it fails, so that other programs can open it', async () => {
    const { sluice, send, path } = await scene()
    await send('m1')
    await sluice.settled()
    await expect(queryDuckDB(path, 'select * from sluice.no_such_table')).rejects.toThrow(/no_such_table/)
    const open = readdirSync('/proc/self/fd').filter((fd) => readlink(`/proc/self/fd/${fd}`) === path)
    expect(open).toEqual([])
  })

  it('gets no event of a user who was suppressed while it was collected', async () => {
    const { sluice, send, ids, state } = await scene()
    await send('m1')
    await send('m2', { userId: 'hidden' })
    await eventually(state).toMatchObject({ pending: 2 })
    await sluice.regulations.create('w', { regulationType: 'suppress', users: [{ userId: 'hidden' }] })
    await sluice.settled()
    expect(await ids()).toEqual(['m1'])
    const [{ destinations: [stats] = [] } = {}] = await sluice.stats('w')
    expect(stats).toMatchObject({ delivered: 1, dropped: { suppressed: 1 }, pending: 0 })
  })

  it('gets collected events as other settings say when these change meanwhile', async () => {
    const { sluice, send, path, state, workspaceWith } = await scene()
    await send('m1')
    await eventually(state).toMatchObject({ pending: 1 })
    await sluice.updateWorkspace(uncheckedWorkspace(workspaceWith({ namespace: 'other' })))
    await sluice.settled()
    expect(await queryDuckDB(path, 'select id from other.tracks')).toEqual([{ id: 'm1' }])
    expect(await queryDuckDB(path, "select table_name from duckdb_tables() where schema_name = 'sluice'")).toEqual([])
  })

  it('gets events that were not loaded when the process stopped, once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-restart-'))
    closing.push(() => rmSync(folder, { recursive: true, force: true }))
    const openStore = () =>
      openSqliteStore({ path: join(folder, 'sluice.db'), clock: systemClock, random: systemRandom })
    const { sluice, open, send, ids } = await scene({ loadMode: 'append' }, { store: await openStore() })
    await send('m1')
    await sluice.stop(1_000)
    const again = await open({ store: await openStore() })
    await again.settled()
    expect(await ids()).toEqual(['m1'])
  })

  it('is tried again after a failure, and its state names the reason', async () => {
    const logged: string[] = []
    const { sluice, send, ids, path } = await scene(
      { syncSeconds: 1 },
      { onError: (error) => logged.push((error as Error).message) },
    )
    mkdirSync(path)
    await send('m1')
    await eventually(() => logged.length).toBeGreaterThan(0)
    expect(logged[0]).toMatch(/^DuckDB .*w\.duckdb: /)
    rmdirSync(path)
    await sluice.settled()
    expect(await ids()).toEqual(['m1'])
  })

  it('gets every property of an event under a name of its own, in a table of its own', async () => {
    const { sluice, send, path } = await scene()
    await send('m1', { event: '購入完了', properties: { 'na!e': 'Max', 'na%e': 'Germany', xmin: 1, 価格: 9.5 } })
    await sluice.settled()
    const [{ event: table } = {}] = await queryDuckDB(path, 'select event from sluice.tracks')
    const [row = {}] = await queryDuckDB(path, `from sluice."${String(table)}"`)
    expect(row).toMatchObject({ event_text: '購入完了', na_e: 'Max', _xmin: expect.anything() })
    expect(Object.values(row)).toEqual(expect.arrayContaining(['Germany', 9.5]))
  })

  it('gets events and properties whose names are those of members that every object has', async () => {
    const { sluice, send, path, state } = await scene()
    const names = ['constructor', 'hasOwnProperty', 'isPrototypeOf', 'toLocaleString', 'toString', 'valueOf']
    for (const name of [...names, '__proto__'])
      await send(name, {
        event: name,
        properties: Object.fromEntries([...names, '__proto__'].map((key) => [key, 'x'])),
      })
    await sluice.settled()
    expect(await state()).toEqual({ pending: 0, errors: [] })
    expect(await queryDuckDB(path, 'select constructor, to_string, value_of from sluice.constructor')).toEqual([
      { constructor: 'x', to_string: 'x', value_of: 'x' },
    ])
  })

  const refusing =
    'create schema sluice; create table sluice.a (id varchar, n bigint check (n < 10)); insert into sluice.a values (null, 1)'

  it('gets all events but those of rows that it refuses, which fail with its reason', async () => {
    const { sluice, send, ids, path, state } = await scene()
    await writeDuckDB(path, refusing)
    for (let n = 0; n < 40; n += 1) await send(`m${n}`, { properties: { n } })
    await sluice.settled()
    expect(await ids()).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9'])
    const { errors, pending } = await state()
    expect([pending, errors]).toEqual([0, [expect.stringMatching(/refuses 30 rows: table a: .*CHECK/)]])
    const [{ destinations: [stats] = [] } = {}] = await sluice.stats('w')
    expect(stats).toMatchObject({ delivered: 10, failed: { 'deliver.refused': 30 } })
    const letters = await sluice.deadLetters.list('w', { limit: 99 })
    expect(letters).toHaveLength(30)
    expect(JSON.stringify(letters[0])).toContain('table a: ')
  })

  it('refuses a direct call only for the event whose row it refuses', async () => {
    const { sluice, ids, path } = await scene()
    await writeDuckDB(path, refusing)
    const event = (n: number) => ({ type: 'track', event: 'A', userId: 'u', messageId: `m${n}`, properties: { n } })
    await sluice.process('k', [event(1), event(50), event(2)])
    expect(await ids()).toEqual(['m1', 'm2'])
  })

  it('makes direct calls load at once', async () => {
    const { sluice, ids } = await scene()
    await sluice.process('k', [{ type: 'track', event: 'A', userId: 'u', messageId: 'm1' }])
    expect(await ids()).toEqual(['m1'])
  })

  it('deletes the rows of a user, and says how many', async () => {
    const { sluice, send, ids } = await scene()
    await send('m1', { userId: 'gone' })
    await send('m2')
    await sluice.settled()
    const [regulation] = await sluice.regulations.create('w', {
      regulationType: 'suppress_with_delete',
      destinationIds: ['duck'],
      users: [{ userId: 'gone' }],
    })
    const jobs = () => sluice.deletions.ofRegulation('w', regulation?.id ?? '')
    await eventually(async () => (await jobs()).find(({ destinationId }) => destinationId === 'duck')).toMatchObject({
      status: 'complete',
      reason: expect.stringMatching(/Deleted rows: 1 of a, 1 of tracks\.|Deleted rows: 1 of tracks, 1 of a\./),
    })
    expect(await ids()).toEqual(['m2'])
  })
})

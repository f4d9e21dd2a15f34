import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSeededRandom, type JsonObject, systemClock } from '@sluice/core'
import { createFolderLedgerPlace, createMemoryStore } from '@sluice/storage'
import { queryDuckDB } from '@sluice/warehouse'
import { createSluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { noDuckDB } from '../support/databases/duckdb.ts'
import { eventually } from '../support/eventually.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A workspace with two warehouses. A person was deleted from the first; `verify` checks the certificate of it. */
async function scene(destinationIds?: readonly string[], more: readonly JsonObject[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-certified-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const pathOf = (id: string): string => join(folder, `${id}.duckdb`)
  const destinations = ['duck', 'goose'].map((id) => ({
    id,
    name: id,
    type: 'DUCKDB' as const,
    settings: { path: pathOf(id), syncSeconds: 3_600 },
  }))
  const sluice = await createSluice({
    workspace: {
      id: 'w',
      sources: [{ id: 's', writeKey: 'k' }],
      destinations,
      connections: destinations.map(({ id }) => ({ source: 's', destination: id })),
    },
    store: createMemoryStore({ clock: systemClock, random: createSeededRandom(3) }),
    ledger: { place: createFolderLedgerPlace(join(folder, 'ledger'), createSeededRandom(5)) },
    sandbox: { mode: 'in-process' },
  })
  closing.push(() => sluice.stop(1_000))
  const send = async (userId: string): Promise<void> => {
    await sluice.ingest('k', [{ type: 'track', event: 'Paid', userId }])
    await sluice.settled()
  }
  await send('kim')
  await send('lee')
  if (more.length > 0)
    await sluice.ingest(
      'k',
      more.map((event) => ({ type: 'track', event: 'Paid', ...event })),
    )
  await sluice.settled()
  const users = [{ userId: 'kim', email: 'kim@mail.test' }]
  const named = destinationIds ? { destinationIds } : {}
  const request = { regulationType: 'suppress_with_delete', users, ...named } as const
  const [regulation] = await sluice.regulations.create('w', request)
  const id = regulation?.id ?? ''
  await eventually(async () =>
    (await sluice.deletions.ofRegulation('w', id)).every(({ status }) => status === 'complete'),
  ).toBe(true)
  const certificate = (await sluice.certificates.make('w', id)) as unknown as JsonObject
  const verify = async () => {
    const verified = await sluice.certificates.verify('w', id, certificate)
    const { searched = [], notSearched = [] } = verified?.search ?? {}
    return {
      holds: verified?.holds,
      places: [...searched, ...notSearched].filter(({ destinationId }) => destinationId !== undefined),
    }
  }
  const run = (destinationId: string, statement: string) => queryDuckDB(pathOf(destinationId), statement)
  return { sluice, id, send, verify, run, pathOf }
}

describe.skipIf(noDuckDB)('a certificate of a deletion from warehouses', () => {
  it('is verified by searching the warehouses, which changes nothing in them', async () => {
    const { verify, run } = await scene()
    const nothing = { count: 0, note: 'by userId only' }
    const places = ['duck', 'goose'].map((id) => ({ where: id, destinationId: id, ...nothing }))
    expect(await verify()).toEqual({ holds: true, places })
    expect(await run('duck', 'select user_id from sluice.tracks')).toEqual([{ user_id: 'lee' }])
  })

  it('does not hold when a warehouse has rows of the person again, and says in which tables', async () => {
    const { sluice, id, send, verify, run } = await scene()
    await sluice.regulations.cancel('w', id)
    await send(' kim\u200b')
    const { holds, places } = await verify()
    expect(holds).toBe(false)
    expect(places).toMatchObject([
      {
        where: 'duck',
        count: 2,
        note: expect.stringMatching(/^1 of (paid|tracks), 1 of (paid|tracks); by userId only$/),
      },
      { where: 'goose', count: 2 },
    ])
    expect(await run('duck', 'select count(*) as n from sluice.tracks')).toEqual([{ n: '2' }])
  })

  it('does not hold when a warehouse cannot be searched, and says why', async () => {
    const { verify, pathOf } = await scene()
    rmSync(pathOf('goose'))
    mkdirSync(pathOf('goose'))
    expect(await verify()).toMatchObject({
      holds: false,
      places: [
        { where: 'duck', count: 0 },
        { where: 'goose', hasFailed: true, reason: expect.stringMatching(/^DuckDB .*goose\.duckdb: .*directory/) },
      ],
    })
  })

  it('is complete without a row that names the person by an id in its traits, or by its anonymousId', async () => {
    const { sluice, id, verify, run } = await scene(undefined, [
      { anonymousId: 'a1', traits: { id: ' kim' } },
      { userId: 'max', traits: { userId: 'kim' } },
      { type: 'identify', userId: 'ann', traits: { id: 'kim', plan: 'pro' } },
      { userId: 'eve', anonymousId: 'kim\u200b' },
      { type: 'group', userId: 'bob', groupId: 'g', traits: { id: 'kim' } },
    ])
    expect(await sluice.certificates.make('w', id)).toMatchObject({ request_status: 'completed' })
    expect(await verify()).toMatchObject({ holds: true })
    for (const [table, left] of [
      ['tracks', ['lee']],
      ['paid', ['lee']],
      ['identifies', []],
      ['groups', ['bob']],
    ] as const)
      expect(await run('duck', `select user_id from sluice.${table}`)).toEqual(left.map((user_id) => ({ user_id })))
    expect(await run('duck', 'select id from sluice.users')).toEqual([])
  })

  it('searches no warehouses that the regulation does not name', async () => {
    const { verify } = await scene(['duck'])
    expect(await verify()).toMatchObject({
      holds: true,
      places: [
        { where: 'duck', count: 0 },
        { where: 'goose', reason: 'the regulation does not name this destination' },
      ],
    })
  })
})

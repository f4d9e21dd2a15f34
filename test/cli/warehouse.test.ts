import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { queryDuckDB } from '@sluice/warehouse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noDuckDB } from '../support/databases/duckdb.ts'
import { eventually } from '../support/eventually.ts'
import { hashOf } from '../support/http/api-client.ts'
import { type RunningCommand, startCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'

let cwd: string
let server: RunningCommand
let url: string

const ndjson = (events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('')
const bought = (messageId: string, properties: object = {}) => ({
  type: 'track',
  event: 'Bought',
  userId: 'u',
  messageId,
  properties,
})

beforeAll(async () => {
  if (noDuckDB) return
  cwd = mkdtempSync(join(tmpdir(), 'sluice-warehouse-'))
  const workspace = {
    id: 'w',
    sources: [{ id: 's', writeKey: 'k' }],
    destinations: [{ id: 'duck', type: 'DUCKDB', settings: { path: 'live.duckdb', syncSeconds: 3_600 } }],
    connections: [{ source: 's', destination: 'duck' }],
    accessTokens: [{ name: 'operator', token: hashOf('operator'), scopes: ['read', 'operate'] }],
  }
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(workspace))
  server = startCommand(['serve', '--workspace', 'workspace.json', '--port', '0'], { cwd })
  url = (await server.printed(/Serving on (\S+)/))[1] ?? ''
  await track(bought('m1', { price: 5 }))
})
afterAll(() => {
  if (noDuckDB) return
  server.child.kill('SIGKILL')
  rmSync(cwd, { recursive: true })
})

async function track(event: object): Promise<void> {
  const authorization = `Basic ${Buffer.from('k:').toString('base64')}`
  const response = await fetch(`${url}/v1/batch`, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify({ batch: [event] }),
  })
  expect(response.status).toBe(200)
}

const sluice = (...args: readonly string[]) =>
  runHosted(args, { cwd, env: { SLUICE_URL: url, SLUICE_TOKEN: 'operator' } })
const destination = (path: string) => ['--destination', 'duckdb', '--settings', JSON.stringify({ path })]

describe.skipIf(noDuckDB)('sluice warehouse', () => {
  it('shows what waits, loads it now, and shows the loads', async () => {
    const before = await sluice('warehouse', 'status')
    expect([before.status, before.stdout]).toEqual([0, expect.stringMatching(/duck +\d +none yet +works/)])
    const synced = await sluice('warehouse', 'sync', 'duck')
    expect([synced.status, synced.stdout]).toEqual([
      0,
      expect.stringMatching(/1 events in \d+ ms\n +tracks: 1 row \(new/),
    ])
    expect((await sluice('warehouse', 'sync', 'duck')).stdout).toBe('Nothing to load.\n')
    expect((await sluice('warehouse', 'status')).stdout).toMatch(/duck +0 +\d{4}-\S+Z +works/)
    expect((await sluice('warehouse', 'history', 'duck')).stdout).toMatch(/bought: 1 row \(new, with \d+ columns\)/)
    const [load] = JSON.parse((await sluice('warehouse', 'history', 'duck', '--json')).stdout)
    expect(load).toMatchObject({ events: 1, tables: [{ table: 'tracks' }, { table: 'bought' }] })
  })

  it('lists columns that do not fit values that were seen, and exits with 1', async () => {
    await sluice('warehouse', 'sync', 'duck')
    const fits = await sluice('warehouse', 'conflicts', 'duck')
    expect([fits.status, fits.stdout]).toEqual([0, 'All values that were seen fit the tables.\n'])
    await track(bought('m2', { price: 'five' }))
    await eventually(async () => (await sluice('warehouse', 'conflicts', 'duck')).status).toBe(1)
    expect((await sluice('warehouse', 'conflicts', 'duck')).stdout).toMatch(/bought +price +a value of type string/)
  })

  it('says that a destination is no warehouse', async () => {
    const { status, stderr } = await sluice('warehouse', 'history', 'nowhere')
    expect([status, stderr]).toEqual([1, expect.stringContaining('nowhere is not a warehouse of this workspace')])
  })
})

describe.skipIf(noDuckDB)('sluice warehouse plan', () => {
  it('shows what the loads of a file would add and discard, and changes nothing', async () => {
    const strange = [{ type: 'track' }, { type: 'video', userId: 'u' }]
    const events = [bought('m1', { price: 5, sold: true }), ...strange, bought('m2', { price: 5.5, sold: 'later' })]
    writeFileSync(join(cwd, 'plan.ndjson'), ndjson(events))
    const settings = JSON.stringify({ path: 'plan.duckdb', syncEvents: 1 })
    const args = ['--events', 'plan.ndjson', '--destination', 'duckdb', '--settings', settings]
    const { status, stdout } = await sluice('warehouse', 'plan', ...args, '--json')
    const { events: count, failed, dropped, failures, tables } = JSON.parse(stdout)
    expect([status, count, failed, dropped, failures[0]?.line]).toEqual([0, 4, 1, 1, 2])
    // The first load would make one column whole numbers, which the second one widens, and another one booleans.
    const planned = tables.find(({ table }: { table: string }) => table === 'bought')
    expect(planned).toMatchObject({ rows: 2, discards: 1, isNew: true, reasons: [{ column: 'sold', values: 1 }] })
    expect(planned.newColumns.filter(({ name }: { name: string }) => name === 'price')).toHaveLength(1)
    expect(existsSync(join(cwd, 'plan.duckdb'))).toBe(false)
    const text = (await sluice('warehouse', 'plan', ...args)).stdout
    expect(text).toMatch(/bought: 2 rows \(new, with \d+ columns; 1 value does not fit\)/)
    expect(text).toMatch(/sold: 1 × .*\n/)
    expect(text).toMatch(/1 of 4 events would be dropped\.\n1 of 4 events would fail:\n {4}line 2: /)
  })
})

describe.skipIf(noDuckDB)('sluice run --load', () => {
  it('loads a file, again without doubles, and names lines that fail', async () => {
    writeFileSync(join(cwd, 'load.ndjson'), `${ndjson([bought('m1'), bought('m2')])}{"type":\n`)
    const args = ['run', '--events', 'load.ndjson', ...destination('load.duckdb'), '--load']
    for (const time of ['first', 'second']) {
      const { status, stdout, stderr } = await sluice(...args)
      expect([time, status, stdout]).toEqual([time, 1, expect.stringMatching(/^3 events, 4 rows, 1 failed/)])
      expect(stderr).toContain('line 3 rejected: not JSON')
    }
    expect(await queryDuckDB(join(cwd, 'load.duckdb'), 'select id from sluice.tracks order by id')).toEqual([
      { id: 'm1' },
      { id: 'm2' },
    ])
  })

  it('keeps the times of the events, and gives those without an id the same one each time', async () => {
    const at = (second: number): string => `2024-05-06T07:08:0${second}.000Z`
    const { messageId: _, ...nameless } = bought('m0')
    writeFileSync(
      join(cwd, 'old.ndjson'),
      ndjson([
        { ...bought('m1'), originalTimestamp: at(1), sentAt: at(3) },
        { ...bought('m2'), originalTimestamp: at(2) },
        { ...bought('m3'), timestamp: at(4), receivedAt: at(5) },
        { ...nameless, timestamp: at(6) },
        { ...nameless, timestamp: at(6) },
      ]),
    )
    const args = ['run', '--events', 'old.ndjson', ...destination('old.duckdb'), '--load']
    for (const _ of ['first', 'second']) expect((await sluice(...args)).status).toBe(0)
    const rows = await queryDuckDB(
      join(cwd, 'old.duckdb'),
      'select id, epoch_ms(timestamp)::double as at, epoch_ms(received_at)::double as received from sluice.tracks order by timestamp, id',
    )
    const times = rows.map(({ at: time, received }) => [new Date(Number(time)), new Date(Number(received))])
    const expected = [
      [1, 3],
      [2, 2],
      [4, 5],
      [6, 6],
      [6, 6],
    ]
    expect(times).toEqual(expected.map((pair) => pair.map((second) => new Date(at(second)))))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(5)
  })

  it('says which destinations are warehouses', async () => {
    writeFileSync(join(cwd, 'one.ndjson'), ndjson([bought('m1')]))
    const settings = ['--destination', 'webhook', '--settings', '{"webhookUrl":"http://127.0.0.1/"}']
    const { status, stderr } = await sluice('run', '--events', 'one.ndjson', ...settings, '--load')
    expect([status, stderr]).toEqual([1, expect.stringContaining('name a warehouse: DUCKDB, POSTGRES')])
  })
})

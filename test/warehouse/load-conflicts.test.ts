import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { queryDuckDB } from '@sluice/warehouse'
import { createSluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { noDuckDB } from '../support/databases/duckdb.ts'
import { eventually } from '../support/eventually.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function scene(transformation: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-conflicts-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'w.duckdb')
  const warnings: object[] = []
  const logger = { debug() {}, info() {}, error() {}, warn: (fields: object) => void warnings.push(fields) }
  const sluice = await createSluice({
    workspace: {
      id: 'w',
      sources: [{ id: 's', writeKey: 'k' }],
      destinations: [{ id: 'duck', type: 'DUCKDB', settings: { path, syncSeconds: 3_600 }, ...transformation }],
      connections: [{ source: 's', destination: 'duck' }],
      accessTokens: [{ name: 'reader', token: 'env:TOKEN', scopes: ['read'] }],
    },
    sandbox: { mode: 'in-process' },
    env: { TOKEN: 'a-token-for-reading' },
    logger,
  })
  closing.push(() => sluice.stop(1_000))
  const send = (messageId: string, properties: object) =>
    sluice.ingest('k', [{ type: 'track', event: 'Order Placed', userId: 'u', messageId, properties }])
  const conflicts = async (id = 'duck') => {
    const headers = { authorization: 'Bearer a-token-for-reading' }
    const reply = await sluice.fetch(new Request(`http://x/v2/warehouses/${id}/conflicts`, { headers }))
    return { status: reply.status, ...((await reply.json()) as { data?: unknown; message?: string }) }
  }
  return { sluice, send, conflicts, warnings, path }
}

const misfit = { table: 'order_placed', column: 'total', reason: expect.stringContaining('BIGINT') }

describe.skipIf(noDuckDB)('values that were seen and do not fit a table', () => {
  it('are listed and logged before their load', async () => {
    const { sluice, send, conflicts, warnings, path } = await scene()
    await send('m1', { total: 9 })
    await sluice.settled()
    expect(await conflicts()).toEqual({ status: 200, data: [] })
    await send('m2', { total: 'nine' })
    await eventually(conflicts).toEqual({ status: 200, data: [misfit] })
    await eventually(() => warnings).toEqual([{ workspace: 'w', destination: 'duck', ...misfit }])
    expect(await queryDuckDB(path, 'select id from sluice.tracks')).toEqual([{ id: 'm1' }])
    await sluice.settled()
    expect(await queryDuckDB(path, 'select row_id, column_name, column_value from sluice.rudder_discards')).toEqual([
      { row_id: 'm2', column_name: 'total', column_value: 'nine' },
    ])
  })

  it('are none when the transformation of the destination makes them fit', async () => {
    const code = `export function transformEvent(event) {
      event.properties.total = Number(event.properties.total)
      return event
    }`
    const { sluice, send, conflicts } = await scene({ transformation: { code } })
    await send('m1', { total: 9 })
    await sluice.settled()
    await send('m2', { total: '9' })
    await sluice.settled()
    expect(await conflicts()).toEqual({ status: 200, data: [] })
  })

  it('need the id of a warehouse', async () => {
    const { conflicts } = await scene()
    expect(await conflicts('other')).toMatchObject({ status: 404, message: expect.stringContaining('other') })
  })
})

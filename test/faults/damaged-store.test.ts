import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock as clock, systemRandom as random } from '@sluice/core'
import { createFolderLedgerPlace, openSqliteStore, salvageSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { shop } from '../support/scenes/shop.ts'

describe('a store that was killed and whose file is damaged', () => {
  it('is served, and the health of the process says what is wrong as soon as it is found', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-damaged-'))
    const path = join(folder, 'sluice.db')
    const start = async (onChecked?: (damage?: Error) => void) => {
      const store = await openSqliteStore({ path, clock, random, onChecked })
      return createSluice({ workspace: shop('http://hook.test/'), store, sandbox: { mode: 'in-process' } })
    }
    const text = 'x'.repeat(1_000)
    const first = await start()
    for (let n = 0; n < 50; n += 1)
      await first.ingest('web-key', [{ type: 'track', event: 'E', userId: 'u', messageId: `m${n}`, text }])
    // As a kill leaves it: the mark says that the store is in use.
    copyFileSync(`${path}.mark`, `${path}.left`)
    await first.stop(0)
    copyFileSync(`${path}.left`, `${path}.mark`)
    const bytes = readFileSync(path)
    const page = Math.floor(bytes.indexOf('"messageId":"m9"') / 4_096)
    expect(page).toBeGreaterThan(0)
    bytes.fill(0xa5, page * 4_096, (page + 1) * 4_096)
    writeFileSync(path, bytes)

    let found: string | undefined
    const second = await start((damage) => {
      found = damage?.message ?? 'sound'
    })
    const health = async () => {
      const response = await second.fetch(new Request('http://sluice.test/health'))
      return { code: response.status, ...((await response.json()) as object) }
    }
    await eventually(health).toEqual({ code: 503, status: 'unavailable', reason: 'storeDamaged' })
    // A query that needs the page may find it before the check does.
    await eventually(() => found).toContain('sluice salvage')
    await second.stop(0)
    rmSync(folder, { recursive: true })
  })
})

describe('a store that was salvaged, and whose regulations could not all be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-salvaged-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const start = async (name: string, ledger?: string) => {
    const store = await openSqliteStore({ path: join(folder, name), clock, random })
    const place = ledger === undefined ? undefined : createFolderLedgerPlace(join(folder, ledger), random)
    try {
      return await createSluice({
        workspace: shop('http://hook.test/'),
        store,
        sandbox: { mode: 'in-process' },
        ledger: place ? { place } : undefined,
      })
    } catch (error) {
      await store.close()
      throw error
    }
  }
  /** Regulates many users, and destroys a page with some of them. */
  async function damage(ledger?: string): Promise<void> {
    const sluice = await start('own.db', ledger)
    const users = Array.from({ length: 200 }, (_, n) => ({ userId: `gone-${n}`, note: 'x'.repeat(200) }))
    await sluice.regulations.create('shop', { regulationType: 'suppress', users })
    await sluice.stop()
    const path = join(folder, 'own.db')
    const bytes = readFileSync(path)
    const page = Math.floor(bytes.indexOf('{"userId":"gone-100"') / 4_096)
    bytes.fill(0xa5, page * 4_096, (page + 1) * 4_096)
    writeFileSync(path, bytes)
  }
  afterEach(() => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  })
  const salvage = (to: string, options?: Parameters<typeof salvageSqliteStore>[3]) =>
    salvageSqliteStore(join(folder, 'own.db'), join(folder, to), 0, options)

  it('is not served without the ledger that it had, nor with a new one; with it, all are suppressed', async () => {
    await damage('ledger')
    await salvage('saved.db')
    await expect(start('saved.db')).rejects.toThrow(
      /could not be read when it was salvaged.+--confirm-lost-regulations/,
    )
    await expect(start('saved.db', 'other')).rejects.toThrow(/ledger/)
    const sluice = await start('saved.db', 'ledger')
    expect(await sluice.regulations.list('shop', { limit: 500 })).toMatchObject({ regulations: { length: 200 } })
    await sluice.stop()
    // They are complete again.
    await (await start('saved.db', 'ledger')).stop()
  })

  it('that never had a ledger is served only after the operator has confirmed the loss', async () => {
    await damage()
    await salvage('saved.db')
    await expect(start('saved.db')).rejects.toThrow(/could not be read/)
    await expect(start('saved.db', 'new')).rejects.toThrow(/could not be read/)
    await salvage('confirmed.db', { confirmsLostRegulations: true })
    await (await start('confirmed.db')).stop()
  })
})

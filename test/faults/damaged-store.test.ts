import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock as clock, systemRandom as random } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { shop } from '../support/scenes/shop.ts'

describe('a store that was killed and whose file is damaged', () => {
  it('is served, and the health of the process says what is wrong as soon as it is found', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-damaged-'))
    const path = join(folder, 'sluice.db')
    const start = async (onChecked?: (damage?: Error) => void) => {
      const store = await openSqliteStore({ path, clock, random, ...(onChecked ? { onChecked } : {}) })
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
    expect(found).toContain('sluice salvage')
    await second.stop(0)
    rmSync(folder, { recursive: true })
  })
})

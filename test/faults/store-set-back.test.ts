import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock as clock, systemRandom as random } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { expect, it } from 'vitest'
import { shop } from '../support/scenes/shop.ts'

it('shows that its store was set back, in its health until the next start and in its metrics from then on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-set-back-'))
  const path = join(folder, 'sluice.db')
  const whileRunning = async (use: (sluice: Sluice) => Promise<void>): Promise<void> => {
    const store = await openSqliteStore({ path, clock, random })
    const sluice = await createSluice({
      workspace: shop('http://hook.test/'),
      store,
      sandbox: { mode: 'in-process' },
    })
    await use(sluice)
    await sluice.stop(0)
    await store.close()
  }
  const shown = async (sluice: Sluice) => {
    const { warnings } = (await (await sluice.fetch(new Request('http://sluice.test/health'))).json()) as {
      readonly warnings?: readonly string[]
    }
    const lost = /^sluice_store_commits_lost_total (\d+)$/m.exec(await sluice.metrics())?.[1]
    return { isWarned: warnings?.includes('lostCommits') ?? false, hasLost: Number(lost) > 0 }
  }
  await whileRunning(async (sluice) => {
    expect(await shown(sluice)).toEqual({ isWarned: false, hasLost: false })
  })
  copyFileSync(path, `${path}.older`)
  await whileRunning(async (sluice) => {
    await sluice.ingest('web-key', [{ type: 'track', event: 'E', userId: 'u' }])
  })
  copyFileSync(`${path}.older`, path)
  await whileRunning(async (sluice) => {
    expect(await shown(sluice)).toEqual({ isWarned: true, hasLost: true })
  })
  await whileRunning(async (sluice) => {
    expect(await shown(sluice)).toEqual({ isWarned: false, hasLost: true })
  })
  rmSync(folder, { recursive: true })
})

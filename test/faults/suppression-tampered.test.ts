import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock as clock, systemRandom as random } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../support/databases/open-database.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { shop } from '../support/scenes/shop.ts'

const tamperings = {
  'a new secret': 'update suppression_state set secret = randomblob(8)',
  'a higher position': 'update suppression_state set settled = settled + 1000',
  'no parts': 'delete from suppression_segment',
  'cancelled regulations': 'update regulation set canceled = 1 where seq % 2',
}

describe('a store whose suppression was changed by hand', () => {
  for (const [name, statement] of Object.entries(tamperings)) {
    it(`has ${name}: no event passes until the index is rebuilt`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-tampered-'))
      const path = join(folder, 'sluice.db')
      const start = async (onSuppressionUnavailable: 'refuse' | 'pass' = 'refuse') => {
        const transport = createRecordingTransport(() => reply(200))
        const store = await openSqliteStore({ path, clock, random, thread: 'this' })
        const sluice = await createSluice({
          workspace: shop('http://hook.test/'),
          store,
          transport,
          onSuppressionUnavailable,
          sandbox: { mode: 'in-process' },
        })
        return { transport, sluice }
      }
      const event = { type: 'track', event: 'E', userId: 'u7' }
      const first = await start()
      const users = Array.from({ length: 20 }, (_, n) => ({ userId: `u${n}` }))
      await first.sluice.regulations.create('shop', { regulationType: 'suppress', users })
      await first.sluice.stop()
      const database = openDatabase(path)
      database.exec(statement)
      database.close()

      for (const setting of ['refuse', 'pass'] as const) {
        const { sluice, transport } = await start(setting)
        const refused = await sluice.ingest('web-key', [event])
        expect(refused).toMatchObject({ ok: false, code: 'unavailable' })
        const health = await sluice.fetch(new Request('http://sluice.test/health'))
        expect([health.status, await health.json()]).toMatchObject([503, { reason: 'suppressionUnavailable' }])
        await sluice.stop()
        expect(transport.requests).toEqual([])
      }

      const { stdout, status } = await runHosted(['regulations', 'rebuild', '--data', folder], { cwd: folder })
      expect([status, stdout]).toEqual([0, expect.stringContaining('active regulations')])
      const { sluice, transport } = await start()
      expect(await sluice.ingest('web-key', [{ ...event, userId: 'u6' }])).toMatchObject({ ok: true })
      await sluice.settled()
      const [stats] = await sluice.stats()
      // In the statement that cancels, u6 has an odd or even number: either way the regulations decide.
      expect((stats?.suppressed ?? 0) + transport.requests.length).toBe(1)
      if (name !== 'cancelled regulations') expect(transport.requests).toEqual([])
      await sluice.stop()
      rmSync(folder, { recursive: true })
    })
  }
})

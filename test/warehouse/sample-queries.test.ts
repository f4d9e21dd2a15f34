import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sampleQueries } from '../../packages/sluice/src/cli/server/serve/sample/sample-queries.ts'
import { noDuckDB, queryDuckDB } from '../support/databases/duckdb.ts'

it.skipIf(noDuckDB)(
  'the queries of the sample have a day for events whose time of the sender cannot be read',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-sample-'))
    try {
      const path = join(folder, 'sample.duckdb')
      await queryDuckDB(path, 'create schema shop')
      for (const table of ['order_completed', 'product_viewed', 'product_added', 'tracks'])
        await queryDuckDB(
          path,
          `create table shop.${table} as select 'u1' as user_id, 'web' as context_source_id, '7.5' as total,
         null::timestamp as original_timestamp, timestamp '2026-01-31 12:00:00' as received_at`,
        )
      expect(await sampleQueries(path)).toMatch(/day +orders +total *\n +2026-01-31 +1 +7\.5\b/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

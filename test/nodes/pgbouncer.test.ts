import { systemClock, systemRandom } from '@sluice/core'
import { openPostgresStore } from '@sluice/postgres'
import { afterEach, describe, expect, it } from 'vitest'
import { noPgBouncer, startPgBouncer } from '../support/databases/pgbouncer.ts'
import { ask, dropSchema, freshSchema } from '../support/databases/postgres.ts'

describe.skipIf(noPgBouncer)('a store behind PgBouncer', () => {
  const schema = freshSchema()
  let stop = (): void => {}
  afterEach(async () => {
    stop()
    await dropSchema(schema)
  })
  const open = async (mode: 'session' | 'transaction') => {
    const { url, ...bouncer } = await startPgBouncer(mode)
    stop = bouncer.stop
    return openPostgresStore({ url, schema, clock: systemClock, random: systemRandom })
  }

  it('has its tables in its own schema when settings at the start of a session are ignored', async () => {
    const before = await ask(`select count(*) from pg_tables where schemaname = 'public'`)
    const store = await open('session')
    await store.configuration.read()
    await store.close()
    expect(await ask(`select count(*) > 30 as found from pg_tables where schemaname = '${schema}'`)).toEqual([
      { found: true },
    ])
    expect(await ask(`select count(*) from pg_tables where schemaname = 'public'`)).toEqual(before)
  })

  it('is refused in transaction mode, with the way out', async () => {
    await expect(open('transaction')).rejects.toThrow(
      /lends sessions for one transaction each, as PgBouncer does in transaction mode: use its session mode/,
    )
  })
})

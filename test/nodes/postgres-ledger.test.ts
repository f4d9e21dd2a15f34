import { openPostgresLedgerPlace } from '@sluice/postgres'
import { describeLedgerPlace } from '@sluice/storage/suites'
import { afterEach, describe, expect, it } from 'vitest'
import { ask, dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'

describe.skipIf(noPostgres)('a ledger in PostgreSQL', () => {
  let schema = freshSchema()
  afterEach(async () => {
    await dropSchema(schema)
    schema = freshSchema()
  })
  it('refuses a line behind one that it has lost, because nothing would read it', async () => {
    const place = await openPostgresLedgerPlace({ url: postgresUrl, schema }, (error) => {
      throw error
    })
    const next = await place.append('chain', await place.append('chain', 0, 'first'), 'second')
    await ask(`delete from ${schema}.ledger_line where number = 1`)
    await expect(place.append('chain', next, 'third')).rejects.toThrow(/has lost lines of the ledger/)
    expect(await place.read('chain', 0, 10)).toHaveLength(1)
    await place.close()
  })

  describeLedgerPlace('postgres', () =>
    openPostgresLedgerPlace({ url: postgresUrl, schema }, (error) => {
      throw error
    }),
  )
})

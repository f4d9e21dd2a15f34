import { openPostgresLedgerPlace } from '@sluice/postgres'
import { describeLedgerPlace } from '@sluice/storage/suites'
import { afterEach, describe } from 'vitest'
import { dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'

describe.skipIf(noPostgres)('a ledger in PostgreSQL', () => {
  let schema = freshSchema()
  afterEach(async () => {
    await dropSchema(schema)
    schema = freshSchema()
  })
  describeLedgerPlace('postgres', () =>
    openPostgresLedgerPlace({ url: postgresUrl, schema }, (error) => {
      throw error
    }),
  )
})

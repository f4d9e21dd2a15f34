import { afterAll, beforeAll, describe } from 'vitest'
import { type Connection, connect } from '../../packages/postgres/src/connect/connect.ts'
import { createSqlSharedRows } from '../../packages/postgres/src/membership/sql-shared-rows.ts'
import { prepareTables } from '../../packages/postgres/src/prepare-tables.ts'
import { ask, dropSchema, emptyStore, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { SimulatedDatabase } from '../support/protocol/simulated-database.ts'
import { World } from '../support/protocol/world.ts'
import { describeSharedRows } from './describe-shared-rows.ts'

describe.skipIf(noPostgres)('in a database', () => {
  const schema = freshSchema()
  let connection: Connection
  beforeAll(async () => {
    connection = await connect(postgresUrl, schema, () => {})
    await prepareTables(connection, schema)
  })
  afterAll(async () => {
    await connection.close()
    await dropSchema(schema)
  })
  describeSharedRows('PostgreSQL', async () => ({
    rows: createSqlSharedRows(connection, schema),
    change: async () => void (await ask(`update ${schema}.change_count set count = count + 1`)),
    close: () => emptyStore(schema),
  }))
})

describeSharedRows(
  'the simulation of the protocol',
  async () => {
    const database = new SimulatedDatabase(new World(1))
    return {
      rows: database.rows(),
      change: async () => void database.change(),
      close: async () => {},
    }
  },
  { lacks: 'what is simulated is who holds which lanes' },
)

import { StoreUnusableError } from '@sluice/storage'
import { connect } from '../connect/connect.ts'
import { type PreparedTables, prepareTables } from '../prepare-tables.ts'
import { defaultSchema, requireSchemaName, type StoreAddress } from '../store-address.ts'

export interface InitiatedStore extends PreparedTables {
  /** Statements that give a role what `serve` needs, to be run by the role that owns the tables. */
  readonly grants: readonly string[]
}

/** Roles whose names need no quotes. */
const roleName = /^[a-z_][a-z0-9_]{0,62}$/
/** From this release on, rights include cleaning up, which only owners could do before. */
const maintainVersion = 170_000

/**
 * Creates or upgrades the tables of a store, so that processes need no right to do that.
 * @param role that they use.
 * @throws StoreUnusableError, StoreVersionError
 */
export async function initPostgresStore({
  url,
  schema = defaultSchema,
  role,
}: StoreAddress & { readonly role: string }): Promise<InitiatedStore> {
  requireSchemaName(schema)
  if (!roleName.test(role))
    throw new StoreUnusableError(`"${role}" is no name for a role: use at most 63 small letters, digits and _`)
  const connection = await connect(url, schema, () => {})
  try {
    const prepared = await prepareTables(connection, schema)
    const [server] = await connection.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    const tables = [
      'select, insert, update, delete',
      ...((server?.version ?? 0) >= maintainVersion ? ['maintain'] : []),
    ]
    const inSchema = `in schema ${schema}`
    return {
      ...prepared,
      grants: [
        `grant usage on schema ${schema} to ${role};`,
        `grant ${tables.join(', ')} on all tables ${inSchema} to ${role};`,
        `grant select, usage, update on all sequences ${inSchema} to ${role};`,
        `grant execute on all functions ${inSchema} to ${role};`,
        `alter default privileges ${inSchema} grant ${tables.join(', ')} on tables to ${role};`,
        `alter default privileges ${inSchema} grant select, usage, update on sequences to ${role};`,
        `alter default privileges ${inSchema} grant execute on functions to ${role};`,
      ],
    }
  } finally {
    await connection.close()
  }
}

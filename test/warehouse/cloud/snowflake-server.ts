import { createHash, generateKeyPairSync, verify } from 'node:crypto'
import { createHttpClient } from '@sluice/delivery'
import { createSnowflakeWarehouse, type SnowflakeSettings } from '@sluice/warehouse'
import { type Answer, addedOneByOne, openPlayedDatabase, type PlayedDialect } from './played-database.ts'
import { type Call, type Reply, serveHttp } from './serve-http.ts'

const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const fingerprint = createHash('sha256')
  .update(keys.publicKey.export({ type: 'spki', format: 'der' }))
  .digest('base64')
export const http = createHttpClient({ allowAddresses: ['localhost'] })

const types: Readonly<Record<string, string>> = {
  VARCHAR: 'TEXT',
  BIGINT: 'NUMBER',
  DOUBLE: 'FLOAT',
  BOOLEAN: 'BOOLEAN',
  TIMESTAMP: 'TIMESTAMP_TZ',
  JSON: 'VARIANT',
}

const dialect: PlayedDialect = {
  database: 'EVENTS',
  listsColumns: /information_schema\.columns/,
  columnOf: ({ table, name, type }) => ({
    TABLE_NAME: table,
    COLUMN_NAME: name,
    DATA_TYPE: types[type] ?? type,
    CHARACTER_MAXIMUM_LENGTH: '16777216',
    NUMERIC_SCALE: '0',
  }),
  translate: (given) => addedOneByOne(plain(given), /^alter table (.+?) add column (.+)$/, /, (?=")/),
}

const plain = (given: string): string =>
  given
    .replaceAll(/collate\((to_\w+\([^()]+\)), ''\)/g, '$1')
    .replaceAll(/to_varchar\(([^()]+)\)/g, 'cast($1 as varchar)')
    .replaceAll(/regexp_instr\((cast\([^()]+\), '[^']+')\) > 0/g, 'regexp_matches($1)')
    .replaceAll(/(regexp_replace\(cast\([^()]+\), '[^']+', '')\)/g, `$1, 'g')`)
    .replaceAll('number(38,0)', 'bigint')
    .replaceAll('timestamp_tz', 'timestamp')
    .replaceAll('variant', 'json')
    .replaceAll(/data\[(\d+)\]::varchar/g, `json_extract_string(data, '$[$1]')`)
    .replaceAll(
      'select value as data from table(flatten(input => parse_json(?)))',
      `select unnest(from_json(?, '["JSON"]')) as data`,
    )
    .replaceAll('parse_json(', 'json(')
    .replaceAll('dateadd(day, -1, current_timestamp())', 'current_timestamp - interval 1 day')
    .replaceAll('current_timestamp()', 'current_timestamp')

/**
 * Plays the SQL API of Snowflake. Source: Snowflake docs, SQL API reference
 * (https://docs.snowflake.com/en/developer-guide/sql-api/reference), and authentication by key pair.
 */
export async function openSnowflake() {
  const database = await openPlayedDatabase(dialect, 'SHOP')
  const script: { unfinished: number; partitionRows: number; readonly failures: Reply[] } = {
    unfinished: 0,
    partitionRows: 1_000,
    failures: [],
  }
  const calls: Call[] = []
  const statements = new Map<string, { readonly answer: Answer | Error; left: number }>()

  async function submit({ url, text }: Call): Promise<Reply> {
    const given = JSON.parse(text) as {
      readonly statement: string
      readonly warehouse: string
      readonly database: string
      readonly bindings?: Readonly<Record<string, { readonly type: string; readonly value: string }>>
      readonly parameters?: { readonly MULTI_STATEMENT_COUNT?: string }
    }
    const requestId = url.searchParams.get('requestId') ?? ''
    const isRepeated = url.searchParams.get('retry') === 'true' && statements.has(requestId)
    if (!isRepeated) {
      const count = Number(given.parameters?.MULTI_STATEMENT_COUNT ?? 1)
      const parts = count > 1 ? given.statement.split(';\n') : [given.statement]
      if (parts.length !== count) return refused(422, '000008', `Actual statement count ${parts.length} did not match.`)
      const values = Object.values(given.bindings ?? {}).map(({ value }) => value)
      const answer = await database.run(parts, values).catch((error: Error) => error)
      statements.set(requestId, { answer, left: script.unfinished })
    }
    return state(requestId, 0)
  }

  function state(handle: string, partition: number): Reply {
    const statement = statements.get(handle)
    if (statement === undefined) return refused(404, '000709', `Statement ${handle} not found`)
    if (statement.left > 0) {
      statement.left -= 1
      return {
        status: 202,
        body: { code: '333334', message: 'Asynchronous execution in progress.', statementHandle: handle },
      }
    }
    const { answer } = statement
    // What a constraint of DuckDB refuses, Snowflake would in its own words.
    if (answer instanceof Error && answer.message.startsWith('Constraint Error'))
      return refused(422, '100072', 'NULL result in a non-nullable column', '22000')
    if (answer instanceof Error) return refused(422, '001003', `SQL compilation error: ${answer.message}`)
    const { names, rows } = answer
    const size = script.partitionRows
    const data = rows.slice(partition * size, (partition + 1) * size)
    if (partition > 0) return { status: 200, body: { data } }
    const rowType = names.map((name) => ({ name: name.toUpperCase(), type: 'text', nullable: true }))
    const partitionInfo = Array.from({ length: Math.max(1, Math.ceil(rows.length / size)) }, () => ({ rowCount: size }))
    return {
      status: 200,
      body: { code: '090001', statementHandle: handle, resultSetMetaData: { rowType, partitionInfo }, data },
    }
  }

  const origin = await serveHttp(async (call) => {
    calls.push(call)
    const failure = script.failures.shift()
    if (failure !== undefined) return failure
    if (!isSignedIn(call)) return refused(401, '390144', 'JWT token is invalid.')
    const handle = call.url.pathname.split('/')[4]
    if (handle === undefined) return submit(call)
    return state(handle, Number(call.url.searchParams.get('partition') ?? 0))
  })

  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const usual = { origin, account: 'acme-eu.west', user: 'loader', privateKey, database: 'events', warehouse: 'LOAD' }
  const warehouse = (more: Partial<SnowflakeSettings> = {}) =>
    createSnowflakeWarehouse({ ...usual, namespace: 'shop', ...more }, http)
  return { database, script, calls, warehouse }
}

function isSignedIn({ headers }: Call): boolean {
  const [head = '', claims = '', signature = ''] = (headers.authorization ?? '').replace('Bearer ', '').split('.')
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    keys.publicKey,
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned || headers['x-snowflake-authorization-token-type'] !== 'KEYPAIR_JWT') return false
  const { iss, sub, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Readonly<
    Record<string, unknown>
  >
  return (
    sub === 'ACME-EU.LOADER' && iss === `ACME-EU.LOADER.SHA256:${fingerprint}` && Number(exp) - Number(iat) <= 3_600
  )
}

export function refused(status: number, code: string, message: string, sqlState = '42000'): Reply {
  return { status, body: { code, message, sqlState } }
}

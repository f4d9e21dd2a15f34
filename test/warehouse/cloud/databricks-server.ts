import { createHttpClient } from '@sluice/delivery'
import { createDatabricksWarehouse } from '@sluice/warehouse'
import { type Answer, addedOneByOne, openPlayedDatabase, type PlayedDialect } from './played-database.ts'
import { type Call, type Reply, serveHttp } from './serve-http.ts'

export const http = createHttpClient({ allowAddresses: ['localhost'] })

const types: Readonly<Record<string, string>> = {
  VARCHAR: 'string',
  BIGINT: 'bigint',
  DOUBLE: 'double',
  BOOLEAN: 'boolean',
  TIMESTAMP: 'timestamp',
}

const dialect: PlayedDialect = {
  database: 'lake',
  listsColumns: /information_schema\.columns/,
  columnOf: ({ table, name, type }) => ({
    table_name: table,
    column_name: name,
    full_data_type: types[type] ?? type.toLowerCase(),
  }),
  translate: (given) => addedOneByOne(plain(given), /^alter table (.+?) add columns \((.+)\)$/, /, (?=")/),
}

const plain = (given: string): string =>
  given
    .replaceAll(/`((?:[^`]|``)*)`/g, (_, name: string) => `"${name.replaceAll('``', '`').replaceAll('"', '""')}"`)
    .replaceAll(/:p(\d+)/g, '$p$1')
    .replace(/ using delta$/, '')
    .replaceAll('regexp_like(', 'regexp_matches(')
    .replaceAll(/(regexp_replace\(cast\([^()]+\), '[^']+', '')\)/g, `$1, 'g')`)
    .replaceAll('get_json_object(', 'json_extract_string(')
    .replaceAll(/explode\(from_json\((\$p\d+), 'array<string>'\)\)/g, `unnest(from_json($1, '["JSON"]'))::varchar`)
    .replaceAll('current_timestamp()', 'current_timestamp')

/**
 * Plays the Statement Execution API of Databricks. Source: Databricks docs, Statement Execution API
 * (https://docs.databricks.com/api/workspace/statementexecution).
 */
export async function openDatabricks() {
  const database = await openPlayedDatabase(dialect, 'shop')
  const script: { unfinished: number; chunkRows: number; readonly failures: Reply[] } = {
    unfinished: 0,
    chunkRows: 1_000,
    failures: [],
  }
  const calls: Call[] = []
  const statements = new Map<string, { readonly answer: Answer | Error; left: number }>()

  async function execute(text: string): Promise<Reply> {
    const {
      statement,
      parameters = [],
      warehouse_id: warehouseId,
      wait_timeout: wait,
    } = JSON.parse(text) as {
      readonly statement: string
      readonly warehouse_id: string
      readonly wait_timeout: string
      readonly parameters?: readonly { readonly name: string; readonly value: string; readonly type: string }[]
    }
    if (warehouseId !== 'abc123') return refused(404, 'NOT_FOUND', `Warehouse ${warehouseId} was not found.`)
    if (!/^(?:0|[5-9]|[1-4]\d|50)s$/.test(wait)) return refused(400, 'INVALID_PARAMETER_VALUE', `wait_timeout ${wait}`)
    const values = Object.fromEntries(parameters.map(({ name, value }) => [name, value]))
    const answer = await database.run([statement], values).catch((error: Error) => error)
    const id = `s-${statements.size + 1}`
    statements.set(id, { answer, left: script.unfinished })
    return state(id)
  }

  function state(id: string): Reply {
    const statement = statements.get(id)
    if (statement === undefined) return refused(404, 'NOT_FOUND', `The statement ${id} was not found.`)
    if (statement.left > 0) {
      statement.left -= 1
      return { status: 200, body: { statement_id: id, status: { state: statement.left > 1 ? 'PENDING' : 'RUNNING' } } }
    }
    const { answer } = statement
    if (answer instanceof Error) {
      // What a constraint of DuckDB refuses, Databricks would under its own condition.
      const condition = answer.message.startsWith('Constraint Error')
        ? 'DELTA_VIOLATE_CONSTRAINT_WITH_VALUES'
        : 'PARSE_SYNTAX_ERROR'
      const error = { error_code: 'BAD_REQUEST', message: `[${condition}] ${answer.message}` }
      return { status: 200, body: { statement_id: id, status: { state: 'FAILED', error } } }
    }
    const columns = answer.names.map((name, position) => ({ name, position, type_name: 'STRING' }))
    return {
      status: 200,
      body: {
        statement_id: id,
        status: { state: 'SUCCEEDED' },
        manifest: { format: 'JSON_ARRAY', schema: { column_count: columns.length, columns } },
        result: chunk(id, answer, 0),
      },
    }
  }

  function chunk(id: string, { rows }: Answer, index: number): object {
    const found = rows.slice(index * script.chunkRows, (index + 1) * script.chunkRows)
    const isLast = (index + 1) * script.chunkRows >= rows.length
    const link = `/api/2.0/sql/statements/${id}/result/chunks/${index + 1}`
    return { chunk_index: index, data_array: found, next_chunk_internal_link: isLast ? undefined : link }
  }

  const origin = await serveHttp(async (call) => {
    calls.push(call)
    const failure = script.failures.shift()
    if (failure !== undefined) return failure
    if (call.headers.authorization !== 'Bearer dapi-secret')
      return refused(401, 'UNAUTHENTICATED', 'Invalid access token.')
    const [, , , , , id, , , index] = call.url.pathname.split('/')
    if (id === undefined) return execute(call.text)
    const known = statements.get(id)
    if (index === undefined || known === undefined || known.answer instanceof Error) return state(id)
    return { status: 200, body: chunk(id, known.answer, Number(index)) }
  })

  const warehouse = (token = 'dapi-secret', warehouseId = 'abc123') =>
    createDatabricksWarehouse({ origin, warehouseId, token, catalog: 'lake', namespace: 'shop' }, http)
  return { database, script, calls, warehouse }
}

export function refused(status: number, code: string, message: string): Reply {
  return { status, body: { error_code: code, message } }
}

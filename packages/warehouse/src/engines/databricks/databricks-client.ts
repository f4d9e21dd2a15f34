import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { CloudClient, CloudRow } from '../cloud/cloud-client.ts'
import { type Advice, refusal } from '../cloud/refusal.ts'
import { type JsonReply, type SendJsonOptions, sendJson } from '../cloud/send-json.ts'
import { untilEnded } from '../cloud/until-ended.ts'
import { type Statement, textOf } from '../sql/statement.ts'

export interface DatabricksServer {
  /** Such as `https://dbc-1234.cloud.databricks.com`. */
  readonly origin: string
  /** Id of the SQL warehouse that runs the statements. */
  readonly warehouseId: string
  /** A personal access token, or one of a service principal. */
  readonly token: string
}

const advice: Advice = {
  '401': 'Check the token: it is wrong, or has ended.',
  '403': 'Grant the owner of the token the use of the SQL warehouse, and of catalog and schema.',
  '404': 'Check host and SQL warehouse.',
  '429': 'The workspace has too many requests; the load is repeated.',
  PERMISSION_DENIED:
    'Grant the owner of the token the right to create schemas in the catalog, and tables in the schema.',
  INSUFFICIENT_PERMISSIONS:
    'Grant the owner of the token the right to create schemas in the catalog, and tables in the schema.',
  NOT_FOUND: 'Check host, SQL warehouse and catalog.',
}

/** Conditions of values that a type does not have, or that a constraint of a table refuses. */
const refusedValues =
  /^(?:CAST_|ARITHMETIC_OVERFLOW|NUMERIC_VALUE_OUT_OF_RANGE|EXCEED_LIMIT_LENGTH|DELTA_EXCEED_CHAR_VARCHAR_LIMIT|DELTA_VIOLATE_CONSTRAINT|DELTA_NOT_NULL_CONSTRAINT)/

/** States of a statement that has not ended. */
const running = new Set(['PENDING', 'RUNNING'])

/**
 * Runs statements over the Statement Execution API of Databricks. It has no sessions, so statements are transactions of
 * their own. Source: Databricks docs, Statement Execution API
 * (https://docs.databricks.com/api/workspace/statementexecution).
 */
export function createDatabricksClient(server: DatabricksServer, options: SendJsonOptions): CloudClient {
  const { origin, warehouseId, token } = server
  const statements = `${origin}/api/2.0/sql/statements`
  const { place } = options

  function send(method: 'GET' | 'POST', url: string, signal: AbortSignal, body?: object): Promise<JsonReply> {
    // A statement has no id by which its repetition would be known.
    const repeat = method === 'GET' ? { repeatUrl: url } : {}
    const headers = { authorization: `Bearer ${token}` }
    return sendJson({ method, url, headers, ...repeat, body }, { ...options, signal })
  }

  async function rows(statement: Statement): Promise<readonly CloudRow[]> {
    const first = await send('POST', statements, options.signal, {
      statement: textOf(statement, (parameter) => `:p${parameter}`),
      warehouse_id: warehouseId,
      wait_timeout: '20s',
      on_wait_timeout: 'CONTINUE',
      disposition: 'INLINE',
      format: 'JSON_ARRAY',
      parameters: statement.values.map((value, at) => ({ name: `p${at + 1}`, value, type: 'STRING' })),
    })
    const url = `${statements}/${encodeURIComponent(String(first.body['statement_id'] ?? ''))}`
    let reply: JsonReply | undefined = first
    const body = await untilEnded({
      ...options,
      look: async () => {
        const { status, body: found } = reply ?? (await send('GET', url, options.signal))
        reply = undefined
        if (status !== 200) throw problemOf(found, status)
        const { state, error } = Object(found['status']) as JsonObject
        if (running.has(String(state))) return undefined
        if (state === 'SUCCEEDED') return found
        throw problemOf(isJsonObject(error) ? error : { message: `the statement ended as ${state}` }, status)
      },
      cancel: () => send('POST', `${url}/cancel`, AbortSignal.timeout(5_000), {}),
    })
    const { columns } = Object(Object(body['manifest']).schema) as JsonObject
    const names = listOf(columns).map((column) => String(Object(column).name).toLowerCase())
    const found: CloudRow[] = []
    let chunk = Object(body['result']) as JsonObject
    for (;;) {
      found.push(...listOf(chunk['data_array']).map((row) => rowOf(names, row)))
      const next = chunk['next_chunk_internal_link']
      if (typeof next !== 'string') return found
      const { status, body: page } = await send('GET', `${origin}${next}`, options.signal)
      if (status !== 200) throw problemOf(page, status)
      chunk = page
    }
  }

  function problemOf(body: JsonObject, status: number) {
    const message = typeof body['message'] === 'string' ? body['message'] : `status ${status}`
    // Conditions of SQL are at the beginning of the message, in brackets.
    const condition = /^\[([A-Z_]+)/.exec(message)?.[1] ?? ''
    const codes = [condition, String(body['error_code']), String(status)]
    return refusal(place, message, codes, advice, refusedValues.test(condition))
  }

  return { rows }
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

function rowOf(names: readonly string[], row: JsonValue): CloudRow {
  const values = listOf(row)
  return Object.fromEntries(names.map((name, at) => [name, values[at] == null ? null : String(values[at])]))
}

import { randomUUID } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { CloudClient, CloudRow } from '../cloud/cloud-client.ts'
import { type Advice, refusal } from '../cloud/refusal.ts'
import { type JsonReply, type SendJsonOptions, sendJson } from '../cloud/send-json.ts'
import { untilEnded } from '../cloud/until-ended.ts'
import { type Statement, textOf } from '../sql/statement.ts'
import { type SnowflakeUser, snowflakeToken } from './snowflake-token.ts'

export interface SnowflakeServer extends SnowflakeUser {
  /** Such as `https://my-account.snowflakecomputing.com`. */
  readonly origin: string
  readonly database: string
  /** The virtual warehouse that runs the statements. */
  readonly warehouse: string
  /** Default: that of the user. */
  readonly role?: string
}

const advice: Advice = {
  '390144': 'Check account, user and privateKey, and that the user has the public key.',
  '394300': 'Check account and user, and that the user has the public key.',
  '401': 'Check account, user and privateKey, and that the user has the public key.',
  '404': 'Check the account.',
  '000606': 'Set the virtual warehouse, and grant the role its use.',
  '390201': 'Check the names of database, virtual warehouse and role, and the rights of the role.',
  '003001': 'Grant the role the right to create schemas in the database, and tables in the schema.',
  '002003': 'A table, schema or the database is missing, or the role may not see it.',
  '000625': 'Another transaction keeps the table locked; the load is repeated.',
  '429': 'The account has too many requests; the load is repeated.',
}

/**
 * Runs statements over the SQL API of Snowflake. Source: Snowflake docs, Snowflake SQL API reference
 * (https://docs.snowflake.com/en/developer-guide/sql-api/reference).
 */
export function createSnowflakeClient(server: SnowflakeServer, options: SendJsonOptions): CloudClient {
  const { origin, database, warehouse, role } = server
  const statements = `${origin}/api/v2/statements`
  const place = options.place

  function send(method: 'GET' | 'POST', url: string, signal: AbortSignal, body?: object): Promise<JsonReply> {
    const headers = {
      authorization: `Bearer ${snowflakeToken(server, Math.floor(Date.now() / 1_000))}`,
      'x-snowflake-authorization-token-type': 'KEYPAIR_JWT',
    }
    const repeatUrl = method === 'GET' ? url : `${url}${url.includes('?') ? '&' : '?'}retry=true`
    return sendJson({ method, url, repeatUrl, headers, body }, { ...options, signal })
  }

  /** @returns the reply of a statement that has ended. */
  async function run(statement: string, more: object): Promise<JsonObject> {
    const body = { statement, database, warehouse, role: role || undefined, ...more }
    // With the same id, a repeated request runs its statement once.
    const first = await send('POST', `${statements}?requestId=${randomUUID()}`, options.signal, body)
    const handle = String(first.body['statementHandle'] ?? '')
    const url = `${statements}/${encodeURIComponent(handle)}`
    let reply: JsonReply | undefined = first
    return untilEnded({
      ...options,
      look: async () => {
        const { status, body: found } = reply ?? (await send('GET', url, options.signal))
        reply = undefined
        if (status === 202) return undefined
        if (status === 200) return found
        const code = String(found['code'])
        throw refusal(
          place,
          messageOf(found, status),
          [code, String(status)],
          advice,
          isOfRows(code, found['sqlState']),
        )
      },
      cancel: () => send('POST', `${url}/cancel`, AbortSignal.timeout(5_000), {}),
    })
  }

  async function runBetween(begin: string, parts: readonly Statement[], end: string): Promise<void> {
    const all = [begin, ...parts.map((each) => textOf(each, () => '?')), end]
    await run(all.join(';\n'), { parameters: { MULTI_STATEMENT_COUNT: String(all.length) } })
  }

  return {
    async rows(statement) {
      const bindings = Object.fromEntries(
        statement.values.map((value, at) => [String(at + 1), { type: 'TEXT', value }]),
      )
      const text = textOf(statement, () => '?')
      const result = await run(text, statement.values.length > 0 ? { bindings } : {})
      const handle = encodeURIComponent(String(result['statementHandle'] ?? ''))
      const meta = isJsonObject(result['resultSetMetaData']) ? result['resultSetMetaData'] : {}
      const names = listOf(meta['rowType']).map((column) => String(Object(column).name).toLowerCase())
      const rows = listOf(result['data']).map((row) => rowOf(names, row))
      const partitions = listOf(meta['partitionInfo']).length
      for (let partition = 1; partition < partitions; partition += 1) {
        const { status, body } = await send('GET', `${statements}/${handle}?partition=${partition}`, options.signal)
        if (status !== 200) throw refusal(place, messageOf(body, status), [String(status)], advice)
        rows.push(...listOf(body['data']).map((row) => rowOf(names, row)))
      }
      return rows
    },
    transaction: {
      tablesMax: Number.POSITIVE_INFINITY,
      run: (parts) => runBetween('begin', parts, 'commit'),
      tryOut: (parts) => runBetween('begin', parts, 'rollback'),
    },
  }
}

/** Values that a type does not have, and columns that must not be NULL. Source: Snowflake docs, error codes of the class 1000xx. */
function isOfRows(code: string, sqlState: JsonValue | undefined): boolean {
  return /^1000\d\d$/.test(code) && /^2[23]/.test(String(sqlState))
}

function messageOf(body: JsonObject, status: number): string {
  return typeof body['message'] === 'string' ? body['message'] : `status ${status}`
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

function rowOf(names: readonly string[], row: JsonValue): CloudRow {
  const values = listOf(row)
  return Object.fromEntries(names.map((name, at) => [name, values[at] == null ? null : String(values[at])]))
}

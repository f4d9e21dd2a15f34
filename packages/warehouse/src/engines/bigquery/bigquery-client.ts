import { randomUUID } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { googleTokenEndpoint, parseServiceAccount, tokenForm } from '@sluice/destinations/kit'
import type { WarehouseError } from '../../load/warehouse-error.ts'
import type { CloudClient, CloudRow } from '../cloud/cloud-client.ts'
import { type Advice, refusal } from '../cloud/refusal.ts'
import { type JsonReply, type SendJsonOptions, sendJson } from '../cloud/send-json.ts'
import { untilEnded } from '../cloud/until-ended.ts'
import { type Statement, textOf } from '../sql/statement.ts'

export interface BigqueryServer {
  readonly project: string
  /** Such as `EU` or `europe-west1`. */
  readonly location: string
  /** The key of a service account, as JSON text. */
  readonly credentials: string
  /** Default: that of Google. */
  readonly origin?: string
  /** Default: that of Google. */
  readonly tokenEndpoint?: string
}

const scope = 'https://www.googleapis.com/auth/bigquery'
/** How long one request waits for its statement. */
const waitMs = 20_000

const advice: Advice = {
  accessDenied: 'Grant the service account the roles BigQuery Data Editor and BigQuery Job User.',
  notFound: 'Check project, location and namespace.',
  quotaExceeded: 'A quota of the project is used up: raise it, or load less often; the load is repeated.',
  rateLimitExceeded: 'Load less often: raise syncSeconds; the load is repeated.',
  '401': 'Check the credentials.',
  '403': 'Grant the service account the roles BigQuery Data Editor and BigQuery Job User.',
  invalid_grant: 'Check the credentials: Google does not know this key, or the clock is wrong.',
}

/** BigQuery has one reason for all that is wrong with a statement. These words are about values. */
const wordsOfRows: readonly string[] = [
  'bad int64 value',
  'bad double value',
  'bad bool value',
  'cannot be null',
  'could not cast',
  'could not convert',
  'could not parse',
  'invalid json',
  'invalid timestamp',
  'invalid value',
  'maximum length',
  'out of range',
  'overflow',
]

/**
 * Runs statements over the REST API of BigQuery. Source: Google docs, BigQuery REST API, jobs.query
 * (https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/query), and multi-statement transactions
 * (https://cloud.google.com/bigquery/docs/transactions).
 */
export function createBigqueryClient(server: BigqueryServer, options: SendJsonOptions): CloudClient {
  const { project, location, origin = 'https://bigquery.googleapis.com' } = server
  const { place } = options
  const api = `${origin}/bigquery/v2/projects/${encodeURIComponent(project)}`
  let token: Promise<string> | undefined

  async function send(method: 'GET' | 'POST', url: string, signal: AbortSignal, body?: object): Promise<JsonReply> {
    const sendWith = async (used: Promise<string>): Promise<JsonReply> => {
      const headers = { authorization: `Bearer ${await used}` }
      // Queries have an id, with which a repeated request runs them once.
      return sendJson({ method, url, repeatUrl: url, headers, body }, { ...options, signal })
    }
    token ??= tokenOf(server, options)
    const used = token
    const reply = await sendWith(used)
    if (reply.status !== 401) return reply
    // It has ended, which happens after an hour.
    if (token === used) token = tokenOf(server, options)
    return sendWith(token)
  }

  async function run(statement: Statement): Promise<readonly CloudRow[]> {
    const first = await send('POST', `${api}/queries`, options.signal, {
      query: textOf(statement, (parameter) => `@p${parameter}`),
      useLegacySql: false,
      location,
      requestId: randomUUID(),
      timeoutMs: waitMs,
      parameterMode: 'NAMED',
      queryParameters: statement.values.map((value, at) => ({
        name: `p${at + 1}`,
        parameterType: { type: 'STRING' },
        parameterValue: { value },
      })),
    })
    const job = Object(first.body['jobReference']) as JsonObject
    const jobId = encodeURIComponent(String(job['jobId'] ?? ''))
    const where = `location=${encodeURIComponent(String(job['location'] ?? location))}`
    const rows: CloudRow[] = []
    let next: string | undefined
    let reply: JsonReply | undefined = first
    for (;;) {
      const page = next === undefined ? '' : `&pageToken=${encodeURIComponent(next)}`
      const url = `${api}/queries/${jobId}?${where}&timeoutMs=${waitMs}${page}`
      const body = await untilEnded({
        ...options,
        look: async () => {
          const { status, body: found } = reply ?? (await send('GET', url, options.signal))
          reply = undefined
          if (status !== 200) throw problemOf(found, status)
          return found['jobComplete'] === true ? found : undefined
        },
        cancel: () => send('POST', `${api}/jobs/${jobId}/cancel?${where}`, AbortSignal.timeout(5_000), {}),
      })
      rows.push(...rowsOf(body))
      if (typeof body['pageToken'] !== 'string') return rows
      next = body['pageToken']
    }
  }

  async function runBetween(begin: string, statements: readonly Statement[], end: string): Promise<void> {
    const texts = statements.map((each) => textOf(each, () => ''))
    await run({ texts: [[begin, ...texts, end].map((text) => `${text};`).join('\n')], values: [] })
  }

  function problemOf(body: JsonObject, status: number): WarehouseError {
    const { message, errors } = Object(body['error']) as JsonObject
    const reasons = listOf(errors).map((error) => String(Object(error).reason))
    const shown = typeof message === 'string' ? message : `status ${status}`
    const isOfRows = reasons.includes('invalidQuery') && areOfRows(shown.toLowerCase())
    return refusal(place, shown, [...reasons, String(status)], advice, isOfRows)
  }

  return {
    rows: run,
    transaction: {
      tablesMax: 90, // of 100, with those of our own
      run: (statements) => runBetween('begin transaction', statements, 'commit transaction'),
      tryOut: (statements) => runBetween('begin transaction', statements, 'rollback transaction'),
    },
  }
}

function areOfRows(message: string): boolean {
  return wordsOfRows.some((words) => message.includes(words))
}

async function tokenOf({ credentials, tokenEndpoint }: BigqueryServer, options: SendJsonOptions): Promise<string> {
  const account = parseServiceAccount(credentials)
  if (account === undefined) throw refusal(options.place, 'credentials is no key of a service account', ['401'], advice)
  const url = tokenEndpoint ?? googleTokenEndpoint
  const form = new URLSearchParams(tokenForm(account, scope, Math.floor(Date.now() / 1_000))).toString()
  const { status, body } = await sendJson({ method: 'POST', url, repeatUrl: url, headers: {}, body: form }, options)
  if (typeof body['access_token'] === 'string') return body['access_token']
  const message = typeof body['error_description'] === 'string' ? body['error_description'] : `status ${status}`
  throw refusal(options.place, message, [String(body['error']), '401'], advice)
}

/** Rows come as lists of cells. */
function rowsOf({ schema, rows }: JsonObject): readonly CloudRow[] {
  const fields = isJsonObject(schema) ? listOf(schema['fields']) : []
  const names = fields.map((each) => String(Object(each).name).toLowerCase())
  return listOf(rows).map((row) => {
    const cells = listOf(Object(row).f)
    const valueAt = (at: number): string | null => {
      const { v } = Object(cells[at]) as JsonObject
      return v == null ? null : String(v)
    }
    return Object.fromEntries(names.map((name, at) => [name, valueAt(at)]))
  })
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

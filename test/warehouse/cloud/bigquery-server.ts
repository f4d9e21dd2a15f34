import { generateKeyPairSync, verify } from 'node:crypto'
import { createHttpClient } from '@sluice/delivery'
import { createBigqueryWarehouse } from '@sluice/warehouse'
import { type Answer, addedOneByOne, openPlayedDatabase, type PlayedDialect } from './played-database.ts'
import { type Call, type Reply, serveHttp } from './serve-http.ts'

const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 })
export const http = createHttpClient({ allowAddresses: ['localhost'] })

const types: Readonly<Record<string, string>> = {
  VARCHAR: 'STRING',
  BIGINT: 'INT64',
  DOUBLE: 'FLOAT64',
  BOOLEAN: 'BOOL',
}

const dialect: PlayedDialect = {
  database: 'my-project',
  listsColumns: /INFORMATION_SCHEMA\.COLUMNS/,
  columnOf: ({ table, name, type }) => ({ table_name: table, column_name: name, data_type: types[type] ?? type }),
  translate: (given) => addedOneByOne(plain(given), /^alter table (.+?) add column (.+)$/, /, add column /),
}

const plain = (given: string): string =>
  given
    .replaceAll(
      /`((?:[^`\\]|\\.)*)`/g,
      (_, name: string) => `"${name.replaceAll(/\\(.)/g, '$1').replaceAll('"', '""')}"`,
    )
    .replaceAll(/@p(\d+)/g, '$p$1')
    .replace(/ options \(location = '[\w-]+'\)$/, '')
    .replace(/ partition by timestamp_trunc\(.*, day\)$/, '')
    .replaceAll(/collate\((cast\([^()]+ as string\)), ''\)/g, '$1')
    .replaceAll('regexp_contains(', 'regexp_matches(')
    .replaceAll(/(regexp_replace\([^()]*\([^()]+\), '[^']+', '')\)/g, `$1, 'g')`)
    .replaceAll('float64', 'double')
    .replaceAll('json_value(', 'json_extract_string(')
    .replaceAll(
      /select data from unnest\(json_query_array\((\$p\d+)\)\) as data/g,
      `select unnest(from_json($1, '["JSON"]'))::varchar as data`,
    )
    .replaceAll('timestamp_sub(current_timestamp(), interval 1 day)', 'current_timestamp - interval 1 day')
    .replaceAll('current_timestamp()', 'current_timestamp')

/** What a test may do to the server. */
export interface BigqueryScript {
  /** Requests that say that the query has not ended, before each that has. */
  unfinished: number
  /** Replies that come before the right ones. */
  readonly failures: Reply[]
  /** Rows of a page. */
  pageRows: number
}

/**
 * Plays the REST API of BigQuery. Source: Google docs, jobs.query and jobs.getQueryResults
 * (https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/query), and OAuth 2.0 for server-to-server applications.
 */
export async function openBigquery() {
  const database = await openPlayedDatabase(dialect, 'shop')
  const script: BigqueryScript = { unfinished: 0, failures: [], pageRows: 1_000 }
  const calls: Call[] = []
  let tokens = 0
  const valid = new Set<string>()
  const jobs = new Map<string, { readonly answer: Answer; left: number }>()
  const requestIds = new Set<string>()

  async function query(text: string): Promise<Reply> {
    const {
      query: sql,
      queryParameters = [],
      requestId,
      location,
    } = JSON.parse(text) as {
      readonly query: string
      readonly location: string
      readonly requestId: string
      readonly queryParameters?: readonly {
        readonly name: string
        readonly parameterValue: { readonly value: string }
      }[]
    }
    const jobId = `job_${requestId}`
    if (!requestIds.has(requestId)) {
      requestIds.add(requestId)
      const values = Object.fromEntries(queryParameters.map(({ name, parameterValue }) => [name, parameterValue.value]))
      const statements = sql.endsWith(';') ? sql.split('\n').map((line) => line.slice(0, -1)) : [sql]
      try {
        jobs.set(jobId, { answer: await database.run(statements, values), left: script.unfinished })
      } catch (error) {
        const { message } = error as Error
        // What a constraint of DuckDB refuses, BigQuery would in its own words.
        const isOfRow = message.startsWith('Constraint Error')
        return refused(400, isOfRow ? 'Required field n cannot be null' : message, 'invalidQuery')
      }
    }
    return results(jobId, location, undefined)
  }

  function results(jobId: string, location: string, pageToken: string | undefined): Reply {
    const job = jobs.get(jobId)
    if (job === undefined) return refused(404, `Not found: Job ${jobId}`, 'notFound')
    const jobReference = { projectId: 'my-project', jobId, location }
    if (job.left > 0) {
      job.left -= 1
      return { status: 200, body: { jobComplete: false, jobReference } }
    }
    const from = Number(pageToken ?? 0)
    const { names, rows } = job.answer
    const page = rows.slice(from, from + script.pageRows)
    const next = from + page.length < rows.length ? { pageToken: String(from + page.length) } : {}
    return {
      status: 200,
      body: {
        jobComplete: true,
        jobReference,
        schema: { fields: names.map((name) => ({ name, type: 'STRING' })) },
        rows: page.map((row) => ({ f: row.map((v) => ({ v })) })),
        ...next,
      },
    }
  }

  const origin = await serveHttp(async (call) => {
    calls.push(call)
    const { method, url, headers, text } = call
    if (url.pathname === '/token') return token(text)
    const failure = script.failures.shift()
    if (failure !== undefined) return failure
    if (!valid.has(headers.authorization ?? '')) return refused(401, 'Invalid Credentials', 'authError')
    const path = '/bigquery/v2/projects/my-project/queries'
    if (method === 'POST' && url.pathname === path) return query(text)
    const { searchParams: given } = url
    return results(
      url.pathname.slice(path.length + 1),
      given.get('location') ?? '',
      given.get('pageToken') ?? undefined,
    )
  })

  function token(form: string): Reply {
    const assertion = new URLSearchParams(form).get('assertion') ?? ''
    const [head = '', claims = '', signature = ''] = assertion.split('.')
    const isRight = verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${claims}`),
      keys.publicKey,
      Buffer.from(signature, 'base64url'),
    )
    if (!isRight) return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } }
    tokens += 1
    valid.add(`Bearer token-${tokens}`)
    return { status: 200, body: { access_token: `token-${tokens}`, expires_in: 3_600, token_type: 'Bearer' } }
  }

  const key = (privateKey = keys.privateKey) =>
    JSON.stringify({
      type: 'service_account',
      client_email: 'me@my-project.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    })
  const warehouse = (credentials = key()) =>
    createBigqueryWarehouse(
      {
        project: 'my-project',
        location: 'EU',
        namespace: 'shop',
        credentials,
        origin,
        tokenEndpoint: `${origin}/token`,
      },
      http,
    )
  return { database, script, calls, warehouse, key, expire: () => valid.clear() }
}

export function refused(status: number, message: string, reason: string): Reply {
  return { status, body: { error: { code: status, message, errors: [{ message, reason }] } } }
}

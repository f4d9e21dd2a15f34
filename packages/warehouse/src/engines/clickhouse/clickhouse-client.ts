import type { HttpClient } from '@sluice/delivery'
import { WarehouseError } from '../../load/warehouse-error.ts'

export interface ClickhouseServer {
  /** Such as `https://host:8443`. */
  readonly origin: string
  readonly user: string
  readonly password: string
}

/** Runs statements over the HTTP interface of ClickHouse. @throws WarehouseError. */
export interface ClickhouseClient {
  /** @param params values of `{name:Type}` in the statement. @param body lines of JSON of an insert. */
  run(
    sql: string,
    params?: Readonly<Record<string, string>>,
    body?: string,
    settings?: Readonly<Record<string, string>>,
  ): Promise<void>
  rows<Row>(sql: string, params?: Readonly<Record<string, string>>): Promise<readonly Row[]>
}

/** Bytes of an answer that are read. */
const answerBytesMax = 64 * 1024 * 1024
const statementMs = 600_000

/** What an operator can do, by the code of the server. */
const advice: Readonly<Record<string, string>> = {
  '81': 'Create the database, or grant the user the right to create it.',
  '159': 'The statement took too long: load fewer events at once.',
  '192': 'Check user and password.',
  '194': 'Check user and password.',
  '241': 'The server has too little memory: load fewer events at once.',
  '243': 'Free space on the disk of the server; the load is repeated.',
  '497': 'Grant the user the right to create tables and columns in the database, to select, insert and delete.',
  '516': 'Check user and password.',
}

/**
 * Codes about values and rows: texts that cannot be read in the type of a column, values out of its range, constraints, NULL.
 * Source: ClickHouse, src/Common/ErrorCodes.cpp.
 */
const codesOfRows: ReadonlySet<string> = new Set('6 26 27 32 38 41 53 69 70 72 117 131 321 349 469'.split(' '))

export function createClickhouseClient(
  { origin, user, password }: ClickhouseServer,
  http: Pick<HttpClient, 'open'>,
  signal: AbortSignal,
): ClickhouseClient {
  async function send(
    sql: string,
    params: Readonly<Record<string, string>>,
    body: string | undefined,
    settings: Readonly<Record<string, string>>,
  ): Promise<string> {
    const query = new URLSearchParams(settings)
    if (body !== undefined) query.set('query', sql)
    for (const [name, value] of Object.entries(params)) query.set(`param_${name}`, value)
    const ending = AbortSignal.any([signal, AbortSignal.timeout(statementMs)])
    try {
      const reply = await http.open(
        {
          method: 'POST',
          url: new URL(`${origin}/?${query}`),
          headers: {
            'x-clickhouse-user': user,
            'x-clickhouse-key': password,
            'content-type': 'text/plain; charset=utf-8',
          },
          body: Buffer.from(body ?? sql),
        },
        { signal: ending },
      )
      const text = await textOf(reply.body)
      if (reply.status === 200) return text
      const code = /Code: (\d+)/.exec(text)?.[1] ?? String(reply.status)
      const [first = ''] = text.split('\n', 1)
      const hint = advice[code]
      throw new WarehouseError(
        `ClickHouse ${origin}: ${first.slice(0, 500).replace(/\.?$/, '.')}${hint ? ` ${hint}` : ''}`,
        code,
        codesOfRows.has(code),
      )
    } catch (error) {
      if (error instanceof WarehouseError) throw error
      signal.throwIfAborted()
      const { code = 'NETWORK', message } = error as NodeJS.ErrnoException
      const hint =
        code === 'EADDRREFUSED'
          ? ' Allow the address with --allow-address.'
          : ' Check host and port, and that the server runs.'
      throw new WarehouseError(`ClickHouse ${origin}: ${(message || code).replace(/\.?$/, '.')}${hint}`, code)
    }
  }

  return {
    async run(sql, params = {}, body, settings = {}) {
      await send(sql, params, body, settings)
    },
    async rows<Row>(sql: string, params: Readonly<Record<string, string>> = {}) {
      const settings = { output_format_json_quote_64bit_integers: '0' }
      const text = await send(`${sql} format JSONEachRow`, params, undefined, settings)
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row)
    },
  }
}

async function textOf(body: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length
    if (bytes > answerBytesMax) throw new Error(`the answer is larger than ${answerBytesMax} bytes`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString()
}

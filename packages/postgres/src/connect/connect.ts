import { InvariantError } from '@sluice/core'
import { StoreUnusableError } from '@sluice/storage'
import { bindable, type Tables } from '@sluice/storage/sql'
import { Kysely, type PostgresCursor, PostgresDialect, type PostgresPoolClient, type PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { DatabaseReplacedError } from './database-replaced-error.ts'
import { AnswerLostError, reasonOf, UnreachableError } from './lost-answers.ts'
import type { ServedServer } from './served-server.ts'
import { fromStoredText, toStoredText } from './stored-text.ts'

/** Oldest server that is supported, as `server_version_num`. */
const oldestVersion = 150_000
/** One for rare writes, one for appends, the others for commits and reads. */
const defaultConnections = 4
const connectMs = 5_000
/** Default time of one statement at the server, and how much later a connection that does not answer is given up. */
const defaultStatementMs = 5_000
const lateMs = 1_000
const idleMs = 3_000
/** Statements that the server keeps prepared, per connection. */
const preparedMax = 200
/** Statements with more values, mostly lists of rows, occur in too many lengths to be kept. */
const preparedValuesMax = 20

/** Runs a statement. Lists are passed as arrays of the server. @returns its rows. */
export type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

export interface Connection {
  readonly db: Kysely<Tables>
  /** Server and database, for messages: without user and password. */
  readonly place: string
  /** Runs a statement on a connection of its own choice. Values are checked as those of `db` are. */
  readonly query: Query
  /** Runs statements in a transaction, on one connection. */
  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>
  /** Does something while no other process does the same. @param name of what is done. */
  alone<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /** Waits for statements under way, then closes all connections. */
  close(): Promise<void>
}

interface ConnectOptions {
  readonly connections?: number
  /** Longest time of a statement, in milliseconds. */
  readonly statementMs?: number
  /** Statements run on this server only. Absent: on the one that answers. */
  readonly server?: ServedServer
}

/**
 * Connects to a database, in which all tables are in one schema.
 * @param onError receives errors of connections that nothing uses.
 * @throws StoreUnusableError when the server cannot be reached, refuses the connection, or is too old.
 */
export async function connect(
  url: string,
  schema: string,
  onError: (error: unknown) => void,
  { connections = defaultConnections, statementMs = defaultStatementMs, server }: ConnectOptions = {},
): Promise<Connection> {
  const place = placeOf(url)
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs + lateMs,
    keepAlive: true,
    application_name: `sluice ${schema}`,
    types: { getTypeParser },
  })
  const settings: readonly (readonly [name: string, value: string])[] = [
    ['search_path', schema],
    // Durable when acknowledged, whatever the server's default is.
    ['synchronous_commit', 'on'],
    ['statement_timeout', String(statementMs)],
    ['lock_timeout', String(statementMs)],
    // A process that was stopped in a transaction must not hold its locks for longer than a lease.
    ['idle_in_transaction_session_timeout', String(idleMs)],
  ]
  pool.on('error', onError)
  const names = new StatementNames()
  const prepared = new WeakSet<pg.PoolClient>()
  const servers = new WeakMap<pg.PoolClient, string>()
  const borrow = async (): Promise<BorrowedClient> => {
    const accepts = server?.accepts
    for (;;) {
      const pooled = await pool.connect().catch((error: unknown) => {
        throw error instanceof pg.DatabaseError ? error : new UnreachableError(error)
      })
      const client = new BorrowedClient(pooled, names)
      if (!prepared.has(pooled)) await reached(setUp(client, settings))
      prepared.add(pooled)
      if (server === undefined) return client
      const known = servers.get(pooled)
      const of = known ?? (await reached(identify(client)))
      servers.set(pooled, of)
      if (known === undefined) server.found(of)
      const isMeant = server.accepts === accepts
      if (isMeant && server.admits(of)) return client
      if (isMeant || !server.admits(of)) client.discard()
      else client.release()
      if (!isMeant || server.isReplaced) throw new DatabaseReplacedError(place)
      // It led to the server before this one. There are at most as many as the pool holds.
    }
  }
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> => {
    const client = await borrow()
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      client.release()
    }
  }
  const transaction = async <Result>(work: (query: Query) => Promise<Result>): Promise<Result> => {
    const client = await borrow()
    try {
      await client.query('begin', [])
      const result = await work(async <Row extends object>(text: string, values: readonly unknown[] = []) => {
        return (await client.query<Row>(text, values)).rows
      })
      await client.query('commit', [])
      return result
    } catch (error) {
      await client.query('rollback', []).catch(() => {})
      throw error
    } finally {
      client.release()
    }
  }
  const alone = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const client = await borrow()
    try {
      await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
      try {
        return await work()
      } finally {
        await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
      }
    } finally {
      client.release()
    }
  }
  try {
    // A pool of one is beside one of several, which asks.
    if (connections > 1) await requireOwnSessions(borrow, place)
    const [row] = await query<{ version: string; standby: boolean }>(
      `select current_setting('server_version_num') as version, pg_is_in_recovery() as standby`,
    )
    if (Number(row?.version) < oldestVersion)
      throw new StoreUnusableError(
        `${place} is PostgreSQL ${Math.floor(Number(row?.version) / 10_000)}: 15 or newer is needed`,
      )
    if (row?.standby)
      throw new StoreUnusableError(
        `${place} is a standby, which takes no writes: use the address of the primary, or one that moves with it`,
      )
  } catch (error) {
    await pool.end()
    if (error instanceof StoreUnusableError) throw error
    throw new StoreUnusableError(
      `the store at ${place} cannot be opened: ${reasonOf(error instanceof UnreachableError ? error.cause : error)}`,
    )
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect: borrow, end: () => pool.end() } }) })
  const close = async (): Promise<void> => {
    await db.destroy()
    // Kysely ends only what it has used.
    if (!pool.ending) await pool.end()
  }
  return { db, place, query, transaction, alone, close }
}

/** Waits for what a new connection answers before it is used: when it does not, nothing was sent on it. */
async function reached<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    throw error instanceof AnswerLostError ? new UnreachableError(error.cause) : error
  }
}

/**
 * Applies settings to a new connection. By a statement, because a pooler in between refuses settings at the start of a session, or
 * drops them without a word.
 */
async function setUp(
  client: BorrowedClient,
  settings: readonly (readonly [name: string, value: string])[],
): Promise<void> {
  // Without parameters, so that the statement has no name that a session of somebody else knows.
  const calls = settings.map(([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, false)`)
  try {
    await client.query(`select ${calls.join(', ')}`, [])
  } catch (error) {
    client.discard()
    throw error
  }
}

/**
 * Refuses a pooler that lends a session of the server for each transaction, such as PgBouncer in transaction mode: settings,
 * locks and prepared statements would be those of somebody else.
 * @throws StoreUnusableError
 */
async function requireOwnSessions(borrow: () => Promise<BorrowedClient>, place: string): Promise<void> {
  const clients = [await borrow(), await borrow()]
  try {
    const sessions = new Set<number>()
    for (const client of clients) {
      const { rows } = await client.query<{ session: number }>('select pg_backend_pid() as session', [])
      for (const { session } of rows) sessions.add(session)
    }
    if (sessions.size < clients.length)
      throw new StoreUnusableError(
        `${place} lends sessions for one transaction each, as PgBouncer does in transaction mode: use its session mode, or the address of the server itself`,
      )
  } finally {
    for (const client of clients) client.release()
  }
}

/**
 * Returns a text that differs between servers, and changes when one starts: after a fail-over, and when its data was put
 * back from a backup. Unlike the timeline, every user may read it, with every provider.
 */
async function identify(client: BorrowedClient): Promise<string> {
  try {
    const { rows } = await client.query<{ server: string; standby: boolean }>(
      'select extract(epoch from pg_postmaster_start_time())::text as server, pg_is_in_recovery() as standby',
      [],
    )
    const [row] = rows
    if (row === undefined || row.standby)
      throw new StoreUnusableError('the address of the store leads to a standby, which takes no writes')
    return row.server
  } catch (error) {
    client.discard()
    throw error
  }
}

/** A connection that is taken out of the pool. */
class BorrowedClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient
  readonly #names: StatementNames
  #broken: Error | undefined

  constructor(client: pg.PoolClient, names: StatementNames) {
    this.#client = client
    this.#names = names
    // The pool listens to idle connections only; the statement under way reports the error.
    client.on('error', this.#onError)
  }

  readonly #onError = (error: Error): void => {
    this.#broken = error
  }

  query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>
  query<Row>(text: string | PostgresCursor<Row>, values: readonly unknown[] = []): never {
    if (typeof text !== 'string') throw new InvariantError('the store reads no streams')
    // The overloads of Kysely's interface have no type in common.
    return this.#query(text, values) as never
  }

  release(): void {
    this.#client.off('error', this.#onError)
    this.#client.release(this.#broken)
  }

  /** Closes the connection instead of keeping it for others. */
  discard(): void {
    this.#broken ??= new Error('the connection is not used any more')
    this.release()
  }

  async #query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const name = this.#names.of(text, values.length)
    const stored = values.map(toStored)
    try {
      return await this.#client.query({ text, values: stored, name })
    } catch (error) {
      // Without an answer of the server, one may still come: the next statement would take it for its own.
      if (error instanceof pg.DatabaseError) throw error
      this.#broken = error instanceof Error ? error : new Error(String(error))
      throw new AnswerLostError(error)
    }
  }
}

function toStored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toStored)
  bindable([value])
  return typeof value === 'string' ? toStoredText(value) : value
}

/** Names for statements that the server is to keep prepared: planning a statement takes longer than running it. */
class StatementNames {
  readonly #names = new Map<string, string>()

  of(text: string, values: number): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    if (values === 0 || values > preparedValuesMax || this.#names.size >= preparedMax) return undefined
    const name = `sluice_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

const { INT8, NUMERIC, TEXT } = pg.types.builtins

/** 64-bit integers and sums are read as numbers, like everywhere in the store. */
function getTypeParser(type: number, format?: 'text' | 'binary'): (value: never) => unknown {
  if (format !== 'binary' && (type === INT8 || type === NUMERIC)) return exactNumber
  if (format !== 'binary' && type === TEXT) return fromStoredText
  return pg.types.getTypeParser(type, format as 'text')
}

function exactNumber(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new InvariantError('PostgreSQL answered with an integer beyond 2^53')
  return value
}

function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `${host}${pathname}`
  } catch {
    throw new StoreUnusableError('the address of the store is no URL: postgres://user@host:5432/database is one')
  }
}

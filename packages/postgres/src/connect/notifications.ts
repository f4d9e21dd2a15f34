import pg from 'pg'
import type { Connection } from './connect.ts'

const retryMs = 1_000
/** How often the listener asks something, to find a connection that is dead. */
const pingMs = 5_000
/** Notifications of this time are sent together: sending takes a lock of the whole server. */
const gatherMs = 3

interface NotificationsOptions {
  readonly connection: Pick<Connection, 'query'>
  readonly url: string
  /** Letters, digits and _. */
  readonly channel: string
  readonly onError: (error: unknown) => void
}

/**
 * Messages between processes, so that no process has to poll quickly. One that is sent while a connection is
 * lost is missed, so every process also polls from time to time, and gets `missed` when it listens again.
 */
export class Notifications {
  readonly #options: NotificationsOptions
  readonly #waiting = new Set<string>()
  #onNotification: (text: string) => void = () => {}
  #telling: NodeJS.Timeout | undefined
  #sent: Promise<unknown> = Promise.resolve()
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  /** Whether a connection was lost since the last one listened. */
  #hasMissed = false

  constructor(options: NotificationsOptions) {
    this.#options = options
  }

  /** Notifies all processes, this one included. */
  tell(text: string): void {
    this.#waiting.add(text)
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined
      this.#tell()
    }, gatherMs)
  }

  /** Starts to listen, and opens a new connection when one is lost. */
  listen(onNotification: (text: string) => void): void {
    this.#onNotification = onNotification
    void this.#connect()
  }

  /** Sends what still waits, then ends. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#telling)
    this.#tell()
    await this.#sent
    await this.#client?.end().catch(() => {})
  }

  #tell(): void {
    if (this.#waiting.size === 0) return
    const texts = [...this.#waiting]
    this.#waiting.clear()
    const { connection, channel, onError } = this.#options
    const telling = connection
      .query('select pg_notify($1, text) from unnest($2::text[]) as every (text)', [channel, texts])
      .catch(onError)
    this.#sent = Promise.all([this.#sent, telling])
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      application_name: `${this.#options.channel} listener`,
      connectionTimeoutMillis: pingMs,
      query_timeout: pingMs,
      keepAlive: true,
    })
    client.on('error', (error) => this.#again(client, error))
    client.on('notification', ({ payload = '' }) => this.#onNotification(payload))
    this.#client = client
    try {
      await client.connect()
      await client.query(`listen ${this.#options.channel}`)
      if (this.#hasMissed) this.#onNotification('missed')
      this.#hasMissed = false
      this.#ping(client)
    } catch (error) {
      this.#again(client, error)
    }
  }

  #ping(client: pg.Client): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => this.#ping(client),
        (error) => this.#again(client, error),
      )
    }, pingMs).unref()
  }

  #again(client: pg.Client, error: unknown): void {
    if (this.#isClosed || this.#client !== client) return
    this.#options.onError(error)
    this.#hasMissed = true
    this.#client = undefined
    clearTimeout(this.#timer)
    client.end().catch(() => {})
    this.#timer = setTimeout(() => void this.#connect(), retryMs).unref()
  }
}

import type { Connection } from './connect/connect.ts'

const everyMs = 5_000

/** The size of all tables of a store, measured every few seconds. */
export class StoreSize {
  readonly #connection: Connection
  #timer: NodeJS.Timeout | undefined
  #bytes = 0

  private constructor(connection: Connection) {
    this.#connection = connection
  }

  static async measure(connection: Connection): Promise<StoreSize> {
    const size = new StoreSize(connection)
    await size.#measure()
    return size
  }

  /** Measures again now and then. @param onError receives errors; the last size stays. */
  follow(onError: (error: unknown) => void): void {
    this.#timer = setTimeout(() => {
      this.#measure()
        .catch(onError)
        .finally(() => {
          if (this.#timer) this.follow(onError)
        })
    }, everyMs).unref()
  }

  /** With indexes. */
  get bytes(): number {
    return this.#bytes
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #measure(): Promise<void> {
    const [row] = await this.#connection.query<{ bytes: number }>(sumOfTables)
    this.#bytes = row?.bytes ?? 0
  }
}

const sumOfTables = `
  select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r'`

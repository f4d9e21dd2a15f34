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

  /** @param onError receives errors of later measurements; the last size stays. */
  static async measure(connection: Connection, onError: (error: unknown) => void): Promise<StoreSize> {
    const size = new StoreSize(connection)
    await size.#measure()
    let measuring = false
    size.#timer = setInterval(() => {
      if (measuring) return
      measuring = true
      size
        .#measure()
        .catch(onError)
        .finally(() => {
          measuring = false
        })
    }, everyMs).unref()
    return size
  }

  /** With indexes. */
  get bytes(): number {
    return this.#bytes
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #measure(): Promise<void> {
    const [row] = await this.#connection.query<{ bytes: number }>(sumOfTables)
    this.#bytes = row?.bytes ?? 0
  }
}

const sumOfTables = `
  select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r'`

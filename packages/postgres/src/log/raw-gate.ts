import type { Connection } from '../connect/connect.ts'
import { aloneIn } from '../prepare-tables.ts'
import { rawSteps } from '../schema/raw-events.ts'

/**
 * Whether events may be kept as they were sent: once no process of a release that would take them for complete uses the
 * store, or can begin to. Until then, as in a cluster that is upgraded process by process, complete events are stored.
 *
 * A process of such a release is refused once the store says that it needs this one. One that was let in just before
 * that is among the processes after a lease: so long this waits before it opens. It stays open.
 */
export class RawGate {
  readonly #connection: Connection
  readonly #schema: string
  readonly #leaseMs: number
  #timer: NodeJS.Timeout | undefined
  #isClosedToOlder = false
  #isOpen = false

  constructor(connection: Connection, schema: string, leaseMs: number) {
    this.#connection = connection
    this.#schema = schema
    this.#leaseMs = leaseMs
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Looks once in a lease, until it is open. @param onError receives errors; then it stays closed until the next look. */
  follow(onError: (error: unknown) => void): void {
    this.#timer = setTimeout(() => {
      this.#look()
        .catch(onError)
        .finally(() => {
          if (this.#timer && !this.#isOpen) this.follow(onError)
        })
    }, this.#leaseMs).unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #look(): Promise<void> {
    const { query } = this.#connection
    const [found] = await query<{ older: number; readable_from: number }>(
      `select (select count(*) from node where knows_cluster < $1) as older,
         (select readable_from from store_version where part = 'cluster') as readable_from`,
      [rawSteps],
    )
    const isClosedToOlder = found !== undefined && found.readable_from >= rawSteps
    this.#isOpen = this.#isClosedToOlder && found?.older === 0
    this.#isClosedToOlder = isClosedToOlder
    if (isClosedToOlder || found?.older !== 0) return
    await aloneIn(this.#connection, this.#schema, () =>
      query(
        `update store_version set readable_from = $1 where part = 'cluster' and readable_from < $1
           and not exists (select from node where knows_cluster < $1)`,
        [rawSteps],
      ),
    )
  }
}

import { StoreInUseError } from '@sluice/storage'
import type { Connection } from '../connect/connect.ts'
import { StoreLostError } from './store-lost-error.ts'

export interface LeaseTimes {
  /** Between two beats. */
  readonly beatMs: number
  /** After which a node without a beat is taken for dead. */
  readonly leaseMs: number
}

export const defaultLeaseTimes: LeaseTimes = { beatMs: 1_000, leaseMs: 5_000 }

/** Key of the advisory lock that a node holds while it looks at the others, in the number space of the schema. */
const membershipLock = 1

export interface NodeLeaseOptions extends LeaseTimes {
  /** Never used before. */
  readonly nodeId: string
  /** Called once, when another node has taken this one for dead and has the store now. */
  readonly onLost: (error: Error) => void
  /** Receives errors of beats. The next beat may succeed. */
  readonly onError: (error: unknown) => void
}

/**
 * The right to write to a store, which one node has at a time. It beats while it lives; nobody compares clocks: a node is
 * taken for dead by those who read the same beat twice, a lease apart by their own clocks. Whoever does so deletes its
 * row, and every transaction of a node checks that its row exists, so a node that was only asleep writes nothing any more.
 */
export class NodeLease {
  readonly #connection: Connection
  readonly #options: NodeLeaseOptions
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()
  #isLost = false

  private constructor(connection: Connection, options: NodeLeaseOptions) {
    this.#connection = connection
    this.#options = options
  }

  /**
   * Joins the store. Waits for a lease when a node is in it that may be dead.
   * @throws StoreInUseError when that node beats.
   */
  static async take(connection: Connection, options: NodeLeaseOptions): Promise<NodeLease> {
    const { beatMs, leaseMs, nodeId } = options
    await connection.query('create table if not exists node (id text collate "C" primary key, beat bigint not null)')
    let seen: { readonly id: string; readonly beat: number; readonly at: number } | undefined
    for (;;) {
      const [other] = await connection.query<{ id: string; beat: number }>(joinAlone, [nodeId, membershipLock])
      if (other === undefined) break
      if (seen?.id !== other.id) seen = { ...other, at: performance.now() }
      else if (seen.beat !== other.beat)
        throw new StoreInUseError(`the store at ${connection.place} is in use by another process: stop that one`)
      else if (performance.now() - seen.at >= leaseMs)
        await connection.query('delete from node where id = $1 and beat = $2', [seen.id, seen.beat])
      await new Promise((resolve) => setTimeout(resolve, Math.min(beatMs, leaseMs) / 2))
    }
    const lease = new NodeLease(connection, options)
    lease.#schedule()
    return lease
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /**
   * Checks, in a transaction, that the node still has the store. Until the transaction ends, nobody can take it.
   * @param query runs a statement in the transaction. @throws StoreLostError
   */
  async require(query: (nodeId: string) => Promise<readonly unknown[]>): Promise<void> {
    if (!this.#isLost && (await query(this.#options.nodeId)).length > 0) return
    throw this.#lost()
  }

  /** Leaves the store, so that another node need not wait for it. */
  async leave(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#beating
    clearTimeout(this.#timer)
    await this.#connection.query('delete from node where id = $1', [this.#options.nodeId])
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat()
        .catch(this.#options.onError)
        .then(() => this.#schedule())
    }, this.#options.beatMs).unref()
    if (this.#isLost) clearTimeout(this.#timer)
  }

  async #beat(): Promise<void> {
    const rows = await this.#connection.query('update node set beat = beat + 1 where id = $1 returning beat', [
      this.#options.nodeId,
    ])
    if (rows.length === 0) this.#lost()
  }

  #lost(): StoreLostError {
    const error = new StoreLostError(this.#connection.place)
    if (!this.#isLost) {
      this.#isLost = true
      clearTimeout(this.#timer)
      this.#options.onLost(error)
    }
    return error
  }
}

/** Adds a node when there is no other, else answers with the other one. */
const joinAlone = `
  with locked as materialized (select pg_advisory_xact_lock($2::int, hashtext(current_schema()))),
  other as materialized (select id, beat from locked cross join lateral (select id, beat from node limit 1) as any_node),
  joined as (insert into node (id, beat) select $1, 0 from locked where not exists (select from other))
  select id, beat from other`

import type { Query } from '../../connect/connect.ts'

/**
 * Keeps the number of messages that are remembered below its limit. Their numbers grow by one at least with each, so that
 * the table need not be asked before the distance from the oldest to the newest is as large as the limit.
 */
export class DigestLimit {
  /** No number is smaller, as far as this process knows: others forget messages, too. */
  #first: number | undefined

  /** @param last number of the newest message; 0 when none was added. */
  async keep(query: Query, last: number, idsMax: number): Promise<void> {
    if (last - (this.#first ?? 0) < idsMax) return
    if (this.#first !== undefined) await query('delete from message_digest where seq <= $1', [last - idsMax])
    const [row] = await query<{ first: number | null }>('select min(seq) as first from message_digest')
    const isUnknown = this.#first === undefined
    this.#first = row?.first ?? last
    if (isUnknown) await this.keep(query, last, idsMax)
  }
}

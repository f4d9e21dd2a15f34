/**
 * How long this process may work after its last beat that was answered: until a margin before others may take it for dead,
 * counted from when the beat was sent.
 */
export class Lease {
  readonly #lastsMs: number
  #until = Number.NEGATIVE_INFINITY
  #wallAt = 0

  constructor({ leaseMs, marginMs }: { readonly leaseMs: number; readonly marginMs: number }) {
    this.#lastsMs = leaseMs - marginMs
  }

  /** @param sentAt when the answered beat was sent. */
  renew(sentAt: number): void {
    this.#until = sentAt + this.#lastsMs
    this.#wallAt = Date.now()
  }

  /** Ends it now. */
  end(): void {
    this.#until = Number.NEGATIVE_INFINITY
  }

  /**
   * @param now on the clock of `renew`. It may stand still while a machine is suspended, so a jump of the other clock ends
   * the lease as well; a false alarm only costs the time until the next beat.
   */
  isValid(now: number): boolean {
    return this.left(now) > 0 && Math.abs(Date.now() - this.#wallAt) < this.#lastsMs
  }

  /** Returns the milliseconds until it ends without another beat; 0 when it is over. */
  left(now: number): number {
    return Math.max(0, this.#until - now)
  }
}

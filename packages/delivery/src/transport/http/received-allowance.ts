/** How much a peer may send. */
export interface ReceivedLimits {
  /** Bytes that a peer may send at once, beyond what it was sent. */
  readonly bytesMax: number
  /** How fast that amount grows back, in bytes per second. */
  readonly bytesPerSecond: number
}

/** Bytes that a peer may answer for each byte that it was sent: a broker may return whole messages, and say why. */
const answeredPerSent = 2

/**
 * Counts what a peer sends against what it may send: an amount that grows with time and with what it was sent. So a busy
 * connection is not limited, and one that pours bytes into an idle one, or answers without end, soon is.
 */
export class ReceivedAllowance {
  readonly #limits: ReceivedLimits
  #left: number
  #sent = 0
  #at: number

  /** @param at milliseconds of a clock that never goes back. */
  constructor(limits: ReceivedLimits, at: number) {
    this.#limits = limits
    this.#left = limits.bytesMax
    this.#at = at
  }

  /**
   * Notes bytes that arrived. @param sent all bytes that the peer was sent until now.
   * @returns whether the peer may send them.
   */
  takes(bytes: number, sent: number, at: number): boolean {
    const { bytesMax, bytesPerSecond } = this.#limits
    const grown = (sent - this.#sent) * answeredPerSent + ((at - this.#at) / 1_000) * bytesPerSecond
    this.#left = Math.min(bytesMax, this.#left + Math.max(0, grown)) - bytes
    this.#sent = Math.max(this.#sent, sent)
    this.#at = at
    return this.#left >= 0
  }
}

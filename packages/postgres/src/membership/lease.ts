import type { Timing } from './timing.ts'

/** A moment on both clocks of a process. */
interface Moment {
  readonly now: number
  readonly wall: number
}

/**
 * How long this process may work after its last beat that was answered: until a margin before others may take it for dead,
 * counted from when the beat was sent.
 */
export class Lease {
  readonly #lastsMs: number
  readonly #timing: Pick<Timing, 'now' | 'wall'>
  #until = Number.NEGATIVE_INFINITY
  #wallAt = 0

  /** @param timing its first clock may stand still while a machine is suspended, so a jump of the other one ends the lease too. */
  constructor(
    { leaseMs, marginMs }: { readonly leaseMs: number; readonly marginMs: number },
    timing: Pick<Timing, 'now' | 'wall'>,
  ) {
    this.#lastsMs = leaseMs - marginMs
    this.#timing = timing
  }

  /** Returns the time at which a beat is sent. */
  moment(): Moment {
    return { now: this.#timing.now(), wall: this.#timing.wall() }
  }

  /** @param sent when the answered beat was sent, on both clocks: the machine may have been suspended since. */
  renew(sent: Moment): void {
    this.#until = sent.now + this.#lastsMs
    this.#wallAt = sent.wall
  }

  /** Ends it now. */
  end(): void {
    this.#until = Number.NEGATIVE_INFINITY
  }

  /** A false alarm of the wall clock only costs the time until the next beat. */
  get isValid(): boolean {
    return this.left > 0 && Math.abs(this.#timing.wall() - this.#wallAt) < this.#lastsMs
  }

  /** Milliseconds until it ends without another beat; 0 when it is over. */
  get left(): number {
    return Math.max(0, this.#until - this.#timing.now())
  }
}

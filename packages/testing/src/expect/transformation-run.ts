import type { Event } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import { drops, emits, fails, type JudgedRun, logs, outputOf, requestsOf, sends, type Verdict } from './verdict.ts'

/** What was expected of a run did not happen. Test runners show a diff of `actual` and `expected`. */
export class ExpectationError extends Error {
  override readonly name = 'ExpectationError'
  readonly actual: unknown
  readonly expected: unknown
  readonly showDiff: boolean

  constructor({ message, actual, expected }: Verdict) {
    super(message)
    this.actual = actual
    this.expected = expected
    this.showDiff = expected !== undefined
  }
}

/**
 * Events on their way through a transformation. They run once, with the first question; every `to…` rejects with an
 * ExpectationError when it does not hold, and with OfflineLoadError when the code cannot be loaded.
 */
export class TransformationRun {
  readonly #start: () => Promise<JudgedRun>
  #result: Promise<JudgedRun> | undefined

  constructor(start: () => Promise<JudgedRun>) {
    this.#start = start
  }

  /** Exactly these events come out, in this order; matchers such as `expect.any(String)` may stand for values. */
  toEmit(...expected: readonly unknown[]): Promise<void> {
    return this.#check((run) => emits(run, expected))
  }

  /** Every event is dropped; `reason` is a text that is in the reason, or a pattern. */
  toDrop(reason?: string | RegExp): Promise<void> {
    return this.#check((run) => drops(run, reason))
  }

  /** Every event fails; `message` is a text that is in the error, or a pattern. */
  toFail(message?: string | RegExp): Promise<void> {
    return this.#check((run) => fails(run, message))
  }

  /**
   * Exactly these requests would be sent, in this order; what is empty or always the same may be left out, and secrets of
   * the settings be as they are or masked. Needs a destination.
   */
  toSend(...expected: readonly unknown[]): Promise<void> {
    return this.#check((run) => sends(run, expected))
  }

  /** A line is logged: exactly the text, or one that fits the pattern. */
  toLog(expected: string | RegExp): Promise<void> {
    return this.#check((run) => logs(run, expected))
  }

  /** What comes out, for snapshots: events, and `{error}` in the place of one that failed. */
  async output(): Promise<readonly (Event | { readonly error: string })[]> {
    return outputOf(await this.result())
  }

  /** What would be sent, for snapshots: secrets of the settings are masked. Needs a destination. */
  async requests(): Promise<readonly (DeliveryRequest | { readonly error: string })[]> {
    return requestsOf(await this.result())
  }

  /** Everything: one ending per event, the log and the time. Requests have the secrets of the settings in them. */
  result(): Promise<JudgedRun> {
    this.#result ??= this.#start()
    return this.#result
  }

  async #check(judge: (run: JudgedRun) => Verdict): Promise<void> {
    const verdict = judge(await this.result())
    if (!verdict.pass) throw new ExpectationError(verdict)
  }
}

import type { Event } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import { drops, emits, fails, type JudgedRun, logs, outputOf, requestsOf, sends, type Verdict } from './verdict.ts'

/** An expectation of a run was not met. Test runners show a diff of `actual` and `expected`. */
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
 * A run of events through a transformation. It starts with the first assertion and runs once. Every `to…` rejects with
 * an ExpectationError when the expectation is not met, and with OfflineLoadError when the code cannot be loaded.
 */
export class TransformationRun {
  readonly #start: () => Promise<JudgedRun>
  #result: Promise<JudgedRun> | undefined

  constructor(start: () => Promise<JudgedRun>) {
    this.#start = start
  }

  /** Expects exactly these events, in this order. Matchers such as `expect.any(String)` may replace values. */
  toEmit(...expected: readonly unknown[]): Promise<void> {
    return this.#check((run) => emits(run, expected))
  }

  /** Expects every event to be dropped. `reason` is a text contained in the reason, or a pattern. */
  toDrop(reason?: string | RegExp): Promise<void> {
    return this.#check((run) => drops(run, reason))
  }

  /** Expects every event to fail. `message` is a text contained in the error, or a pattern. */
  toFail(message?: string | RegExp): Promise<void> {
    return this.#check((run) => fails(run, message))
  }

  /**
   * Expects exactly these requests, in this order. Members that are empty or always the same may be omitted, and
   * secrets of the settings may be masked or not. Needs a destination.
   */
  toSend(...expected: readonly unknown[]): Promise<void> {
    return this.#check((run) => sends(run, expected))
  }

  /** Expects a log line: exactly the text, or one that matches the pattern. */
  toLog(expected: string | RegExp): Promise<void> {
    return this.#check((run) => logs(run, expected))
  }

  /** Returns the results for snapshots: events, and `{error}` for each failed event. */
  async output(): Promise<readonly (Event | { readonly error: string })[]> {
    return outputOf(await this.result())
  }

  /** Returns the requests for snapshots, with secrets of the settings masked. Needs a destination. */
  async requests(): Promise<readonly (DeliveryRequest | { readonly error: string })[]> {
    return requestsOf(await this.result())
  }

  /** Returns everything: one result per event, the log and the time. Requests contain the secrets of the settings. */
  result(): Promise<JudgedRun> {
    this.#result ??= this.#start()
    return this.#result
  }

  async #check(judge: (run: JudgedRun) => Verdict): Promise<void> {
    const verdict = judge(await this.result())
    if (!verdict.pass) throw new ExpectationError(verdict)
  }
}

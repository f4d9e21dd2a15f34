import { expect } from 'vitest'
import { TransformationRun } from '../expect/transformation-run.ts'
import { drops, emits, fails, type JudgedRun, logs, sends, type Verdict } from '../expect/verdict.ts'

export { type TransformationCase, testCases } from './test-cases.ts'

/** Matchers for `expect(testTransformation(…).on(event))`; each returns a promise. */
interface TransformationMatchers {
  /** Expects exactly these events, in this order. */
  toEmit(...expected: readonly unknown[]): Promise<void>
  /** Expects every event to be dropped. */
  toDrop(reason?: string | RegExp): Promise<void>
  /** Expects every event to fail. */
  toFail(message?: string | RegExp): Promise<void>
  /** Expects exactly these requests, in this order. */
  toSend(...expected: readonly unknown[]): Promise<void>
  /** Expects a log line. */
  toLog(expected: string | RegExp): Promise<void>
}

declare module 'vitest' {
  // The parameter has to be named as vitest names it.
  // biome-ignore lint/suspicious/noExplicitAny: vitest declares it so
  interface Matchers<T = any> extends TransformationMatchers {}
}

const matcher =
  <Args extends readonly unknown[]>(judge: (run: JudgedRun, ...args: Args) => Verdict) =>
  async (received: unknown, ...args: Args) => {
    if (!(received instanceof TransformationRun))
      throw new TypeError('expect() needs what testTransformation(…).on(…) gives')
    const { pass, message, actual, expected } = judge(await received.result(), ...args)
    return { pass, message: () => message, ...(expected === undefined ? {} : { actual, expected }) }
  }

expect.extend({
  toEmit: matcher((run, ...expected: readonly unknown[]) => emits(run, expected)),
  toDrop: matcher(drops),
  toFail: matcher(fails),
  toSend: matcher((run, ...expected: readonly unknown[]) => sends(run, expected)),
  toLog: matcher(logs),
})

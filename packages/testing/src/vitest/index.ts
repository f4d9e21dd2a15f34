import { expect } from 'vitest'
import { matchers } from '../expect/matchers.ts'
import { warmUp } from '../expect/shared-runner.ts'

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

expect.extend(matchers)
// Test files are loaded before the clock of their tests starts. What is wrong is reported by the first test.
await warmUp().catch(() => {})

import { TransformationRun } from './transformation-run.ts'
import { drops, emits, fails, type JudgedRun, logs, sends, type Verdict } from './verdict.ts'

const matcher =
  <Args extends readonly unknown[]>(judge: (run: JudgedRun, ...args: Args) => Verdict) =>
  async (received: unknown, ...args: Args) => {
    if (!(received instanceof TransformationRun))
      throw new TypeError('expect() needs what testTransformation(…).on(…) gives')
    const { pass, message, actual, expected } = judge(await received.result(), ...args)
    return { pass, message: () => message, ...(expected === undefined ? {} : { actual, expected }) }
  }

/** Matchers in the form of `expect.extend`. */
export const matchers = {
  toEmit: matcher((run, ...expected: readonly unknown[]) => emits(run, expected)),
  toDrop: matcher(drops),
  toFail: matcher(fails),
  toSend: matcher((run, ...expected: readonly unknown[]) => sends(run, expected)),
  toLog: matcher(logs),
}

/** Where vitest keeps its `expect`, for tools that do not import it. */
const globalExpect = Symbol.for('expect-global')

/**
 * Adds the matchers to the `expect` of the test runner, if it is vitest, so that `expect(run).toEmit(…)` works in a test
 * file that imports only this package. Their types come with an import of `@sluice/testing/vitest`.
 */
export function offerMatchers(): void {
  const expect: unknown = Reflect.get(globalThis, globalExpect)
  if (typeof expect !== 'function' || !('extend' in expect) || typeof expect.extend !== 'function') return
  expect.extend(matchers)
}

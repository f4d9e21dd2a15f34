import { test } from 'vitest'
import type { TransformationTest } from '../expect/test-transformation.ts'

/** One line of a table: events, and what is expected of them; everything that is given must hold. */
export interface TransformationCase {
  readonly name: string
  readonly on: object | readonly object[]
  /** Exactly these come out; one event or several. */
  readonly emits?: object | readonly object[]
  /** True, or what the reason must fit. */
  readonly drops?: true | string | RegExp
  /** True, or what the error must fit. */
  readonly fails?: true | string | RegExp
  /** Exactly these requests would be sent. */
  readonly sends?: object | readonly object[]
  readonly logs?: string | RegExp
}

/**
 * Makes a test of each case, under its name.
 * @throws TypeError when a case expects nothing: it could not fail.
 */
export function testCases(transformation: TransformationTest, cases: readonly TransformationCase[]): void {
  for (const { name, on, emits, drops, fails, sends, logs } of cases) {
    if ([emits, drops, fails, sends, logs].every((expected) => expected === undefined))
      throw new TypeError(`case ${name} expects nothing; give emits, drops, fails, sends or logs`)
    test(name, async () => {
      const run = transformation.on(...listOf(on))
      if (emits !== undefined) await run.toEmit(...listOf(emits))
      if (drops !== undefined) await run.toDrop(drops === true ? undefined : drops)
      if (fails !== undefined) await run.toFail(fails === true ? undefined : fails)
      if (sends !== undefined) await run.toSend(...listOf(sends))
      if (logs !== undefined) await run.toLog(logs)
    })
  }
}

function listOf(value: object | readonly object[]): readonly object[] {
  return Array.isArray(value) ? value : [value as object]
}

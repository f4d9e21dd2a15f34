import { test } from 'vitest'
import type { TestEvent, TransformationTest } from '../expect/test-transformation.ts'

/** One row of a table: events and expectations. The case passes when every expectation is met. */
export interface TransformationCase {
  readonly name: string
  readonly on: TestEvent | readonly TestEvent[]
  /** Exactly these events; one event or several. */
  readonly emits?: object | readonly object[]
  /** True, or a text or pattern for the reason. */
  readonly drops?: true | string | RegExp
  /** True, or a text or pattern for the error. */
  readonly fails?: true | string | RegExp
  /** Exactly these requests. */
  readonly sends?: object | readonly object[]
  readonly logs?: string | RegExp
}

/**
 * Defines a test for each case, under its name. A failure shows the line that called this function.
 * @throws TypeError when a case has no expectations, because it could not fail.
 */
export function testCases(transformation: TransformationTest, cases: readonly TransformationCase[]): void {
  const { stack: definedAt } = new Error()
  for (const { name, on, emits, drops, fails, sends, logs } of cases) {
    if ([emits, drops, fails, sends, logs].every((expected) => expected === undefined))
      throw new TypeError(`case ${name} expects nothing; give emits, drops, fails, sends or logs`)
    test(name, async () => {
      const run = transformation.on(...listOf<TestEvent>(on))
      try {
        if (emits !== undefined) await run.toEmit(...listOf(emits))
        if (drops !== undefined) await run.toDrop(drops === true ? undefined : drops)
        if (fails !== undefined) await run.toFail(fails === true ? undefined : fails)
        if (sends !== undefined) await run.toSend(...listOf(sends))
        if (logs !== undefined) await run.toLog(logs)
      } catch (error) {
        throw error instanceof Error ? at(error, definedAt) : error
      }
    })
  }
}

function listOf<Item extends object>(value: Item | readonly Item[]): readonly Item[] {
  return Array.isArray(value) ? value : [value as Item]
}

/** Replaces the frames of an error, which are all of this package, by those of another stack. */
function at(error: Error, stack: string | undefined): Error {
  const frames = stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  // The first one is of testCases itself.
  if (frames.length > 1) error.stack = [`${error.name}: ${error.message}`, ...frames.slice(1)].join('\n')
  return error
}

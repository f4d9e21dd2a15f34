import { InvariantError } from '@sluice/core'
import type { QuickJSContext } from 'quickjs-emscripten-core'
import { guestPatterns } from '../../guest-programs.ts'
import type { QuickPattern } from '../../patterns/quick-pattern.ts'
import { preludeName } from './prelude.ts'

/** Makes patterns of the program that was loaded quick. */
export type Quicken = (patterns: readonly QuickPattern[]) => void

/**
 * Evaluates `guestPatterns` in a context that has run no user code, which may overwrite the built-ins that it saves.
 * @throws InvariantError when it does not load.
 */
export function evaluateGuestPatterns(context: QuickJSContext): Quicken {
  const evaluated = context.evalCode(guestPatterns, `${preludeName}patterns`, { type: 'global' })
  if (evaluated.error) throw new InvariantError('the guest code for patterns does not load')
  const quicken = evaluated.value
  return (patterns) => {
    const text = context.newString(JSON.stringify(patterns))
    const called = context.callFunction(quicken, context.undefined, text)
    for (const handle of [text, called.error ?? called.value]) handle.dispose()
  }
}

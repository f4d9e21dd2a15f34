import { InvariantError } from '@sluice/core'
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { patternHook } from '../../guest-programs.ts'
import { preludeName } from '../guest/prelude.ts'
import type { GuestWords } from './guest-words.ts'
import { type HostMethods, valueBytes } from './host-methods.ts'
import type { MethodName, WatchedObjects } from './method-watches.ts'
import type { SamplePattern } from './pattern-objects.ts'

/** What the guest's side of the hook has shown. All numbers are addresses; nothing at them is ever freed. */
export interface PatternProgram {
  readonly samples: readonly SamplePattern[]
  /** A function that is written in the language. */
  readonly ownFunction: number
  readonly plainObject: number
  readonly watched: WatchedObjects
  /** Addresses of values that are the engine's methods. */
  readonly native: Readonly<Record<MethodName, number>>
  /** Addresses of values. */
  readonly values: Readonly<Record<'null' | 'false' | 'undefined' | 'minusOne' | 'arrayOf', number>>
  /** Puts functions in the place of the engine's methods. */
  replaceMethods(methods: readonly QuickJSHandle[]): void
}

/** Source, flags and lastIndex of the patterns of the program, in their order. */
const samples = [
  ['pro[b]e+', 'g', 5],
  ['a{2}@', 'imsuyd', 6],
  ['(?:)', 'v', 7],
] as const

/**
 * Runs the guest's side of the hook in a context that has run no user code. The handles that it makes are kept, because
 * restoring memory would not undo what the wrapper frees.
 * @throws InvariantError when it does not load.
 */
export function loadPatternProgram(words: GuestWords, context: QuickJSContext, host: HostMethods): PatternProgram {
  let shown: readonly number[] = []
  const show = host.make('show', (_context, _self, argc, argv) => {
    words.renew()
    shown = Array.from({ length: argc }, (_, i) => words.word(argv + i * valueBytes) ?? 0)
    return 0
  })
  const call = (target: QuickJSHandle, values: readonly QuickJSHandle[]): QuickJSHandle => {
    const called = context.callFunction(target, context.undefined, [...values])
    if (called.error) throw new InvariantError('the guest code for patterns does not run')
    return called.value
  }
  const evaluated = context.evalCode(patternHook, `${preludeName}patterns`, { type: 'global' })
  if (evaluated.error) throw new InvariantError('the guest code for patterns does not load')
  const program = call(evaluated.value, [show])
  const methods = context.getProp(program, 'methods')
  call(context.getProp(program, 'showSamples'), [])
  const ofSamples = shown
  call(context.getProp(program, 'showWatched'), [])
  const [prototype = 0, regExp = 0, execSample = 0, flagsSample = 0, ...functions] = shown
  const [exec = 0, replace = 0, match = 0, search = 0, split = 0, species = 0, ...flags] = functions
  return {
    samples: samples.map(([source, flags, lastIndex], i) => ({ address: ofSamples[i] ?? 0, source, flags, lastIndex })),
    ownFunction: ofSamples[samples.length] ?? 0,
    plainObject: ofSamples[samples.length + 1] ?? 0,
    watched: { prototype, regExp, execSample, flagsSample, exec, replace, match, search, split, species, flags },
    native: {
      replace: context.getProp(methods, 0).value,
      replaceAll: context.getProp(methods, 1).value,
      match: context.getProp(methods, 2).value,
      search: context.getProp(methods, 3).value,
      split: context.getProp(methods, 4).value,
      test: context.getProp(methods, 5).value,
    },
    values: {
      null: context.null.value,
      false: context.false.value,
      undefined: context.undefined.value,
      minusOne: context.getProp(program, 'minusOne').value,
      arrayOf: context.getProp(program, 'arrayOf').value,
    },
    replaceMethods: (values) => {
      call(context.getProp(program, 'replaceMethods'), values)
    },
  }
}

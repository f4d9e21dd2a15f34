import type { GuestWords } from './guest-words.ts'
import { PropertyWatch } from './property-watch.ts'

/** Methods that search a text, in the order of `guest/pattern-hook.js`. */
export const methodNames = ['replace', 'replaceAll', 'match', 'search', 'split', 'test'] as const
export type MethodName = (typeof methodNames)[number]

/** Addresses of the engine's own objects, and of the functions that are their properties. */
export interface WatchedObjects {
  /** RegExp.prototype and RegExp. */
  readonly prototype: number
  readonly regExp: number
  /** Objects with one property each, as `exec` and `flags` of RegExp.prototype. */
  readonly execSample: number
  readonly flagsSample: number
  readonly exec: number
  /** The methods whose keys are symbols. */
  readonly replace: number
  readonly match: number
  readonly search: number
  readonly split: number
  /** Getters: of the species of RegExp, and of `flags` and each single flag. */
  readonly species: number
  readonly flags: readonly number[]
}

/** What each method reads, apart from the pattern itself. */
export type MethodWatches = Readonly<Record<MethodName, readonly PropertyWatch[]>>

/** @returns undefined when an object does not have its properties where it should. */
export function watchesOf(words: GuestWords, watched: WatchedObjects): MethodWatches | undefined {
  const { prototype, regExp, exec, flags } = watched
  const isLike = (sample: number, value = 0) => PropertyWatch.isLike(words, sample, prototype, value)
  if (!isLike(watched.execSample, exec) || !isLike(watched.flagsSample, flags[0])) return undefined
  const own = (...values: readonly number[]) => PropertyWatch.of(words, prototype, values)
  const watches = {
    replace: [own(watched.replace, exec, ...flags)],
    // It refuses patterns without the flag g, and takes an object for a pattern if it can match.
    replaceAll: [own(watched.replace, watched.match, exec, ...flags)],
    match: [own(watched.match, exec, ...flags)],
    search: [own(watched.search, exec)],
    // It makes a pattern of its own, with the constructor and the flags of this one.
    split: [
      own(watched.split, watched.match, regExp, exec, ...flags),
      PropertyWatch.of(words, regExp, [watched.species]),
    ],
    test: [own(exec)],
  }
  const isComplete = (all: typeof watches): all is MethodWatches & typeof watches =>
    Object.values(all).every((list) => list.every((watch) => watch !== undefined))
  return isComplete(watches) ? watches : undefined
}

import type { CodePlace } from './code-place.ts'
import type { JsonDiff } from './diff.ts'

/** Why a case failed. Paths are absolute; nothing in it holds a secret of destination settings. */
export type CaseProblem =
  /** A file of the case is broken: nothing was run. */
  | { readonly kind: 'file'; readonly message: string }
  | { readonly kind: 'load'; readonly message: string; readonly place?: CodePlace }
  | {
      readonly kind: 'event'
      /** Of the event in the input, from 0. */
      readonly index: number
      readonly stage: 'transformation' | 'destination'
      readonly message: string
      readonly place?: CodePlace
    }
  | { readonly kind: 'output' | 'requests'; readonly file: string; readonly diff: JsonDiff }

/** What became of a case. */
export interface CaseReport {
  readonly transformation: string
  /** Of the transformation; absolute. */
  readonly file: string
  readonly name: string
  readonly inputFile?: string
  /** `updated`: what came out was written as what is expected; problems then tell of events that fail. */
  readonly status: 'passed' | 'failed' | 'updated'
  readonly events: number
  readonly timeMs: number
  readonly log: readonly string[]
  readonly problems: readonly CaseProblem[]
  /** Files that an update wrote. */
  readonly written: readonly string[]
  /** Of what came out, what is expected nowhere. */
  readonly unpinned: readonly ('output' | 'requests')[]
}

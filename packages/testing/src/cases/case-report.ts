import type { CodePlace } from './code-place.ts'
import type { JsonDiff } from './diff.ts'

/** Why a case failed. Paths are absolute. Contains no secret of destination settings. */
export type CaseProblem =
  /** A file of the case is invalid, so nothing was run. */
  | { readonly kind: 'file'; readonly message: string }
  /** A request without a recorded response, and how to record one. */
  | { readonly kind: 'fetch'; readonly message: string }
  | { readonly kind: 'load'; readonly message: string; readonly place?: CodePlace }
  | {
      readonly kind: 'event'
      /** Index of the event in the input, from 0. */
      readonly index: number
      readonly stage: 'transformation' | 'destination'
      readonly message: string
      readonly place?: CodePlace
    }
  | { readonly kind: 'output' | 'requests'; readonly file: string; readonly diff: JsonDiff }

/** Result of a case. */
export interface CaseReport {
  readonly transformation: string
  /** Absolute path of the transformation. */
  readonly file: string
  readonly name: string
  readonly inputFile?: string
  /** `updated`: the results were written as the expected ones; problems then list failed events. */
  readonly status: 'passed' | 'failed' | 'updated'
  readonly events: number
  readonly timeMs: number
  readonly log: readonly string[]
  readonly problems: readonly CaseProblem[]
  /** Files that an update wrote. */
  readonly written: readonly string[]
  /** Results for which no expectation exists. */
  readonly unpinned: readonly ('output' | 'requests')[]
}

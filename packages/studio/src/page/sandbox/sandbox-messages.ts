import type { EngineSource, SandboxLimits } from '@sluice/sandbox'
import type { CodeToTry, CodeTrial } from '@sluice/transformations'

/** Messages to the Worker: first how it starts, then one trial after another. */
export type ToWorker =
  | { readonly kind: 'start'; readonly engine: EngineSource; readonly limits: SandboxLimits }
  | { readonly kind: 'try'; readonly code: CodeToTry }

/** Messages from the Worker. */
export type FromWorker =
  /** Code is about to run; see `SandboxOptions.onEnter`. */
  | { readonly kind: 'enter'; readonly whose: number }
  | { readonly kind: 'tried'; readonly trial: CodeTrial }
  /** The Worker cannot be used. */
  | { readonly kind: 'broken'; readonly message: string }

/** Values of `whose`. */
export const whole = -1
export const loading = -2
export const reading = -3
export const waiting = -4

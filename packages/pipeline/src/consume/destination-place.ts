import type { BudgetShare } from '@sluice/core'
import type { DestinationPath } from '../flow/destination-path.ts'
import type { Flow } from '../flow/flow.ts'
import type { LoadStore } from '../ports/stores/load-store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { LoadHistory } from '../reports/counts/load-history.ts'
import type { OutcomeRecorderOptions } from './outcome-recorder.ts'
import type { Quarantine } from './quarantine.ts'
import type { RetryQueue } from './retry/retry-queue.ts'

/** A destination of this process, as the consumer sees it that takes events of the log there. */
export interface DestinationPlace extends OutcomeRecorderOptions {
  /** The name of the consumer. */
  readonly consumer: string
  /** Returns the current flow, and the current path of the destination: both may change at any time. */
  current(): { readonly flow: Pick<Flow, 'suppress'>; readonly path: DestinationPath }
  readonly quarantine: Quarantine
  /** Events of the destination that wait to be tried again. */
  readonly retries: RetryQueue
  /** Characters of events that wait behind slow ones, of all destinations of the workspace. Left out, only each destination has a limit. */
  readonly ahead?: BudgetShare
  readonly loads: LoadStore
  readonly history?: LoadHistory
  readonly telemetry?: Telemetry
  /** Called with failures from which the consumer recovers. */
  onError(error: unknown): void
}

/** Whether an operator has paused the destination: nothing is begun, and what is under way ends. */
export function isPaused({ current }: Pick<DestinationPlace, 'current'>): boolean {
  return current().path.pausedAt !== undefined
}

/** Whether the destination has begun to load its events together, which `loadFromLog` does. */
export function isLoaded({ current }: Pick<DestinationPlace, 'current'>): boolean {
  return current().path.loader !== undefined
}

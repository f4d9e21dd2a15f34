import type { BudgetShare } from '@sluice/core'
import type { DestinationPath } from '../flow/destination-path.ts'
import type { Flow } from '../flow/flow.ts'
import type { LoadHistory } from '../insight/load-history.ts'
import type { LoadStore } from '../ports/load-store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
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
  /** Slices that wait behind others, of all destinations of the workspace: each is at most one read. Left out, there is no limit. */
  readonly ahead?: BudgetShare
  readonly loads: LoadStore
  readonly history?: LoadHistory
  readonly telemetry?: Telemetry
  /** Called with failures from which the consumer recovers. */
  onError(error: unknown): void
}

import type { OnInvalid } from '@sluice/core'
import type { RetentionOptions } from './consume/retention-options.ts'
import type { RetryOptions } from './consume/retry/retry-options.ts'
import type { FlowParts } from './flow/build-flow.ts'
import type { Deduplication } from './ports/deduplication.ts'
import type { Store } from './ports/store.ts'
import type { DestinationFailure } from './reports/destination-failure.ts'
import type { Tap } from './reports/tap.ts'

export interface EngineOptions extends Omit<FlowParts, 'deferring' | 'watchDelivered' | 'watchAnswers'> {
  readonly store: Store
  /** What differs from the default. */
  readonly retries?: Partial<RetryOptions>
  /** Leaves out events that were accepted before; default none. */
  readonly deduplication?: Deduplication
  /** What a malformed event costs where its call and its source do not say; default `refuse-call`, as RudderStack. */
  readonly onInvalid?: OnInvalid | undefined
  /** What differs from the default. */
  readonly retention?: Partial<RetentionOptions>
  /** False writes no receipts: lookups then find only pending and failed events. Default true. */
  readonly receipts?: boolean
  /** Shows outcomes to people who watch. */
  readonly tap?: Tap
  /** Gets why events failed or wait at destinations, once that is stored; nothing of what is in them. */
  onFailures?(failures: readonly DestinationFailure[]): void
  /**
   * How many requests that were accepted are kept in memory for each destination, for at most 15 minutes; default 20. 0 keeps
   * none.
   */
  readonly keptDeliveries?: number
  /** Bytes of JSON text of outputs of user code that are not delivered yet; default 192 MiB. */
  readonly transformedBytesMax?: number
}

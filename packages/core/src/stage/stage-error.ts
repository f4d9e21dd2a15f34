import type { JsonObject } from '../event/json.ts'

export interface ErrorTraits {
  /** Whether the same input may succeed later without a change. */
  readonly retryable: boolean
  readonly summary: string
}

/** Every way an event can fail, in one table. */
export const errorTraits = {
  'stage.broken': { retryable: false, summary: 'A stage threw an exception instead of returning outcomes.' },
  'stage.crashed': { retryable: false, summary: 'The process ended while it was processing the event.' },
  'stage.failed': { retryable: false, summary: 'A stage of the embedding program refused the event.' },
  'plan.violated': { retryable: false, summary: 'The event violates the tracking plan, which keeps it in quarantine.' },
  'transform.threw': { retryable: false, summary: 'User code raised an exception.' },
  'transform.load': { retryable: false, summary: 'User code could not be loaded.' },
  'transform.output': { retryable: false, summary: 'User code returned something that is not an event.' },
  'transform.timeout': { retryable: false, summary: 'User code ran longer than its time limit.' },
  'transform.memory': { retryable: false, summary: 'User code used more memory than its limit.' },
  'transform.stack': { retryable: false, summary: 'User code recursed deeper than its limit.' },
  'destination.settings': { retryable: false, summary: 'The settings of the destination do not allow this event.' },
  'destination.event': { retryable: false, summary: 'The event lacks something the destination requires.' },
  'destination.gone': { retryable: false, summary: 'The destination was deleted before the event was delivered.' },
  'deliver.refused': {
    retryable: false,
    summary: 'The destination answered that it does not accept the request, or Sluice may not send it.',
  },
  'deliver.unavailable': { retryable: true, summary: 'The destination could not be reached or asked to wait.' },
} as const satisfies Record<string, ErrorTraits>

export type ErrorCode = keyof typeof errorTraits

/** Why one event failed. A plain value: stored, returned and compared, never thrown. */
export interface StageError {
  readonly code: ErrorCode
  /** What happened, with the offending value, then what to do. Contains no secret. */
  readonly message: string
  /** Details for a reader of one event (stack, log, reply); no code depends on them. */
  readonly detail?: JsonObject
}

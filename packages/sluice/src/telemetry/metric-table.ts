/** What a metric is, for those who read it. Names and units are those of Prometheus. */
export interface MetricTraits {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** Upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[]
}

/** From what a stage takes that only maps to what one takes that waits for a slow destination. */
const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Up to the hours an event is tried again. */
const delays = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 10_800]
const sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000]

/** What the store knows: it is read when somebody asks, outlives a restart, and equals what `stats` tells. */
export const storedMetrics = {
  sluice_events_received_total: {
    type: 'counter',
    help: 'Events received: rejected, suppressed, duplicate and accepted.',
  },
  sluice_events_rejected_total: { type: 'counter', help: 'Events that were malformed, by reason.' },
  sluice_events_suppressed_total: { type: 'counter', help: 'Events of suppressed users, as they came in.' },
  sluice_events_duplicate_total: { type: 'counter', help: 'Events that were accepted before, where that is asked.' },
  sluice_events_accepted_total: { type: 'counter', help: 'Events that were stored.' },
  sluice_events_counted_only_total: {
    type: 'counter',
    help: 'Events whose shapes were not learnt: too much was new, or too large.',
  },
  sluice_destination_accepted_total: { type: 'counter', help: 'Events owed to a destination.' },
  sluice_destination_replayed_total: {
    type: 'counter',
    help: 'Events brought back from the dead letters, or from the log.',
  },
  sluice_destination_delivered_total: { type: 'counter', help: 'Events that were delivered.' },
  sluice_destination_dropped_total: { type: 'counter', help: 'Events that were dropped, by reason.' },
  sluice_destination_failed_total: { type: 'counter', help: 'Events that failed, by error code.' },
  sluice_destination_requests_total: { type: 'counter', help: 'Requests that were delivered.' },
  sluice_dead_letters_forgotten_total: { type: 'counter', help: 'Dead letters that made room, by limit.' },
  sluice_destination_pending: { type: 'gauge', help: 'Events that are owed to a destination and have not ended.' },
  sluice_destination_waiting: { type: 'gauge', help: 'Events among them that wait for another try.' },
  sluice_destination_lag_seconds: { type: 'gauge', help: 'Age of the oldest batch a destination has not passed.' },
  sluice_observer_lag_seconds: { type: 'gauge', help: 'Age of the oldest batch whose shapes are not learnt.' },
  sluice_dead_letters: { type: 'gauge', help: 'Dead letters of a workspace.' },
  sluice_log_batches_lost_total: {
    type: 'counter',
    help: 'Acknowledged batches that were not in the store any more when it was opened, of all workspaces.',
  },
  sluice_dead_letters_share: {
    type: 'gauge',
    help: 'Part of the limit of all dead letters; where the sum is 1, the workspace with most loses its oldest.',
  },
  sluice_budget_used: { type: 'gauge', help: 'What a workspace uses of a budget that all workspaces share.' },
  sluice_budget_limit: { type: 'gauge', help: 'What all workspaces may use of it together.' },
  sluice_budget_reserved: { type: 'gauge', help: 'What the workspace can use of it whatever the others do.' },
} as const satisfies Record<string, MetricTraits>

/** What is measured as it happens: it begins anew with the process. */
export const measuredMetrics = {
  sluice_stage_events_total: { type: 'counter', help: 'What stages of a destination made of their inputs.' },
  sluice_stage_seconds: { type: 'histogram', help: 'Time of a stage for a batch.', buckets: seconds },
  sluice_work_seconds: { type: 'histogram', help: 'Time of work on a batch, by kind.', buckets: seconds },
  sluice_work_events: { type: 'histogram', help: 'Events in a batch, by kind of work.', buckets: sizes },
  sluice_destination_delay_seconds: {
    type: 'histogram',
    help: 'From accepting a batch to being done with it; what waits for another try is not in it.',
    buckets: delays,
  },
  sluice_observer_delay_seconds: {
    type: 'histogram',
    help: 'From accepting a batch to having learnt its shapes.',
    buckets: delays,
  },
} as const satisfies Record<string, MetricTraits>

export const metricTable: Readonly<Record<string, MetricTraits>> = { ...storedMetrics, ...measuredMetrics }

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  /** A key of the table; for the parts of a histogram with what Prometheus puts behind it. */
  readonly name: string
  readonly labels: Labels
  readonly value: number
}

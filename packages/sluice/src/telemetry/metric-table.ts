import { delayBoundsMs } from '@sluice/pipeline'

/** Description of a metric. Names and units follow Prometheus. */
interface MetricTraits {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** Upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[]
  /** How the values of the processes of one server are joined: see `join-samples.ts`. Default: the store has it, so all have the same. */
  readonly across?: Across
}

/** `byBudget`: the sum where the budget is of the memory of each process, the same where it is of the store. */
export type Across = 'sum' | 'max' | 'min' | 'byBudget'

/** From a stage that only maps to one that waits for a slow destination. */
const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Up to the hours for which an event is retried: those of the history. */
const delays = delayBoundsMs.map((ms) => ms / 1_000)
const sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000]

/** Metrics read from the store on request. They survive a restart, and equal `stats`. */
export const storedMetrics = {
  sluice_events_received_total: {
    type: 'counter',
    help: 'Events received: rejected, suppressed, duplicate and accepted.',
  },
  sluice_events_rejected_total: { type: 'counter', help: 'Malformed events, by reason.' },
  sluice_events_suppressed_total: { type: 'counter', help: 'Events of suppressed users.' },
  sluice_events_duplicate_total: { type: 'counter', help: 'Events accepted before, where deduplication is on.' },
  sluice_events_accepted_total: { type: 'counter', help: 'Events that were stored.' },
  sluice_events_invalid_times_total: {
    type: 'counter',
    help: 'Accepted events whose timestamp was no time, so that it was computed.',
  },
  sluice_events_large_numbers_total: {
    type: 'counter',
    help: 'Accepted events with a number beyond 2^53, which is rounded, or beyond 1.8e308, which becomes null.',
  },
  sluice_events_counted_only_total: {
    type: 'counter',
    help: 'Events whose shapes were not learnt because too much was new, or too large.',
  },
  sluice_destination_accepted_total: { type: 'counter', help: 'Events owed to a destination.' },
  sluice_destination_replayed_total: {
    type: 'counter',
    help: 'Events replayed from the dead letters or the log.',
  },
  sluice_destination_delivered_total: { type: 'counter', help: 'Events that were delivered.' },
  sluice_destination_dropped_total: { type: 'counter', help: 'Events that were dropped, by reason.' },
  sluice_destination_failed_total: { type: 'counter', help: 'Events that failed, by error code.' },
  sluice_destination_requests_total: { type: 'counter', help: 'Requests that were delivered.' },
  sluice_dead_letters_forgotten_total: {
    type: 'counter',
    help: 'Dead letters deleted to stay within a limit, by limit.',
  },
  sluice_destination_pending: { type: 'gauge', help: 'Events owed to a destination that have not ended.' },
  sluice_destination_waiting: { type: 'gauge', help: 'Pending events that wait for a retry.', across: 'sum' },
  sluice_destination_lag_seconds: {
    type: 'gauge',
    help: 'Age of the oldest batch a destination has not processed.',
    across: 'max',
  },
  sluice_destination_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest event that a destination has not ended, also of those that wait for a retry.',
    across: 'max',
  },
  sluice_destination_health: {
    type: 'gauge',
    help: '1 for how a destination does (failing, slow, waiting, paused, works, idle), 0 for the others.',
  },
  sluice_observer_lag_seconds: {
    type: 'gauge',
    help: 'Age of the oldest batch whose shapes are not learnt.',
    across: 'max',
  },
  sluice_dead_letters: { type: 'gauge', help: 'Dead letters of a workspace.' },
  sluice_log_batches_lost_total: {
    type: 'counter',
    help: 'Acknowledged batches of all workspaces that the store lacked when it was opened, or after a fail-over.',
  },
  sluice_store_commits_lost_total: {
    type: 'counter',
    help: 'Acknowledged commits that the store lacked when it was opened, whatever they had changed; absent in a cluster.',
  },
  sluice_dead_letters_share: {
    type: 'gauge',
    help: 'Share of the limit for all dead letters; when the sum is 1, the workspace with the most loses its oldest.',
  },
  sluice_budget_used: {
    type: 'gauge',
    help: 'Amount a workspace uses of a budget that all workspaces share.',
    across: 'byBudget',
  },
  sluice_budget_limit: {
    type: 'gauge',
    help: 'Amount all workspaces can use of the budget together.',
    across: 'byBudget',
  },
  sluice_budget_reserved: {
    type: 'gauge',
    help: 'Amount of the budget reserved for the workspace.',
    across: 'byBudget',
  },
} as const satisfies Record<string, MetricTraits>

/** Metrics of this process in its cluster, read on request; absent without a cluster. */
export const clusterMetrics = {
  sluice_cluster_loss_unconfirmed: {
    type: 'gauge',
    help: '1 while the database lacked what it had acknowledged, and no operator has confirmed that.',
    across: 'max',
  },
  sluice_cluster_nodes: {
    type: 'gauge',
    help: 'Living processes that take part in the cluster, seen by this one.',
    across: 'max',
  },
  sluice_cluster_other_definitions: {
    type: 'gauge',
    help: 'Living processes that have another definition of workspaces than this one.',
    across: 'max',
  },
  sluice_cluster_lanes: {
    type: 'gauge',
    help: 'Lanes that this process holds. Over all processes, their sum is 32 except during a take-over.',
    across: 'sum',
  },
  sluice_cluster_lanes_taken_over_total: {
    type: 'counter',
    help: 'Lanes taken over from processes that had gone silent.',
    across: 'sum',
  },
  sluice_cluster_unknown_outcomes_total: {
    type: 'counter',
    help: 'Writes that failed and may be stored: the database did not answer, and could not be asked.',
    across: 'sum',
  },
  sluice_cluster_refused_total: {
    type: 'counter',
    help: 'Appends and commits that the store refused because others had taken over from this process.',
    across: 'sum',
  },
  sluice_cluster_lease_seconds: {
    type: 'gauge',
    help: 'Time for which this process may continue without another answer of the database; 0 when it refuses events.',
    across: 'min',
  },
} as const satisfies Record<string, MetricTraits>

/** Metrics measured in this process. They start at zero with it. */
export const measuredMetrics = {
  sluice_stage_events_total: {
    type: 'counter',
    help: 'Inputs of the stages of a destination, by outcome.',
    across: 'sum',
  },
  sluice_stage_seconds: { type: 'histogram', help: 'Time of a stage for a batch.', buckets: seconds, across: 'sum' },
  sluice_work_seconds: {
    type: 'histogram',
    help: 'Time of work on a batch, by kind.',
    buckets: seconds,
    across: 'sum',
  },
  sluice_work_events: { type: 'histogram', help: 'Events in a batch, by kind of work.', buckets: sizes, across: 'sum' },
  sluice_destination_delay_seconds: {
    type: 'histogram',
    help: 'Time from accepting a batch to finishing it, without events that wait for a retry.',
    buckets: delays,
    across: 'sum',
  },
  sluice_observer_delay_seconds: {
    type: 'histogram',
    help: 'Time from accepting a batch to learning its shapes.',
    buckets: delays,
    across: 'sum',
  },
  sluice_cluster_change_seconds: {
    type: 'histogram',
    help: 'Time until all processes of the cluster had applied a change (regulation, code), or ended earlier work (passed).',
    buckets: seconds,
    across: 'sum',
  },
} as const satisfies Record<string, MetricTraits>

/** Metrics of the processes of one server; absent with one process. */
const processMetrics = {
  sluice_process_answered: {
    type: 'gauge',
    help: '1 when the figures of the process are in the others; 0 while it starts again, or does not answer.',
  },
  sluice_process_restarts_total: {
    type: 'counter',
    help: 'How often the process was started again, because it had ended or was silent.',
  },
} as const satisfies Record<string, MetricTraits>

/** What the process takes of the machine: names as in other programs for Node, so that dashboards fit. */
const runtimeMetrics = {
  process_cpu_user_seconds_total: { type: 'counter', help: 'Processor time in user code.', across: 'sum' },
  process_cpu_system_seconds_total: { type: 'counter', help: 'Processor time in the system.', across: 'sum' },
  process_cpu_seconds_total: { type: 'counter', help: 'Processor time.', across: 'sum' },
  process_start_time_seconds: { type: 'gauge', help: 'Start of the process since the Unix epoch.', across: 'min' },
  process_resident_memory_bytes: { type: 'gauge', help: 'Resident memory.', across: 'sum' },
  process_open_fds: { type: 'gauge', help: 'Open file descriptors.', across: 'sum' },
  nodejs_heap_size_total_bytes: { type: 'gauge', help: 'Size of the heap of the main thread.', across: 'sum' },
  nodejs_heap_size_used_bytes: { type: 'gauge', help: 'Used part of the heap of the main thread.', across: 'sum' },
  nodejs_external_memory_bytes: { type: 'gauge', help: 'Memory outside of the heap.', across: 'sum' },
  nodejs_eventloop_lag_mean_seconds: {
    type: 'gauge',
    help: 'Mean delay of the event loop since the last scrape.',
    across: 'max',
  },
  nodejs_eventloop_lag_p99_seconds: {
    type: 'gauge',
    help: 'Delay of the event loop that 1 % of its turns exceeded since the last scrape.',
    across: 'max',
  },
  nodejs_eventloop_lag_max_seconds: {
    type: 'gauge',
    help: 'Longest delay of the event loop since the last scrape.',
    across: 'max',
  },
  nodejs_version_info: { type: 'gauge', help: 'Version of Node.', across: 'max' },
} as const satisfies Record<string, MetricTraits>

/** Whether a metric says something about the whole process, and nothing about a workspace. */
export const isOfRuntime = ({ name }: Sample): boolean => name in runtimeMetrics

export const metricTable: Readonly<Record<string, MetricTraits>> = {
  ...storedMetrics,
  ...clusterMetrics,
  ...measuredMetrics,
  ...processMetrics,
  ...runtimeMetrics,
}

export type Labels = Readonly<Record<string, string>>

/** Returns the metric that a sample belongs to, without the suffix of a part of a histogram. */
export function metricOf({ name }: Sample): string {
  return name in metricTable ? name : name.replace(/_(bucket|sum|count)$/, '')
}

export interface Sample {
  /** A key of the table, with Prometheus's suffix for the parts of a histogram. */
  readonly name: string
  readonly labels: Labels
  readonly value: number
}

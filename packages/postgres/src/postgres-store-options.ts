import type { Clock, Random } from '@sluice/core'
import { withDefaults } from '@sluice/core/with-defaults'
import type { DeadLetterLimits } from '@sluice/pipeline'
import type { SchemaLimits } from '@sluice/schema'
import { defaultDeadLetterLimits } from '@sluice/storage/sql'
import { type ClusterTimes, defaultClusterTimes } from './membership/membership.ts'
import type { MissingBatches } from './membership/resume.ts'
import { defaultSchema } from './store-address.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`. The user must be allowed to create tables, unless they are there. */
  readonly url: string
  /** The schema of all tables; default `sluice`. Several stores fit into one database. */
  readonly schema?: string
  readonly clock: Clock
  /** Source of the ids of stored records. */
  readonly random: Random
  /** Size of the tables at which batches are refused; default 64 GiB. Above 80 %, batches kept only for replays go. */
  readonly budgetBytes?: number
  /** Size of the cache of the newest batches, measured by their JSON texts; default 32 MiB. */
  readonly recentBytesMax?: number
  /** Number of receipts to keep, over all workspaces; default 100,000. More between two prunings. */
  readonly receiptsMax?: number
  /** Number of audit entries to keep, and of changes, over all workspaces; default 100,000. Up to 5 % more between two prunings. */
  readonly auditEntriesMax?: number
  /** Overrides of the defaults: 100,000 dead letters, 1 GiB, 30 days. */
  readonly deadLetterLimits?: Partial<DeadLetterLimits>
  /** Overrides of the default limits of the schema catalogue. */
  readonly schemaLimits?: Partial<SchemaLimits>
  /** How soon others take over from a process that is silent, and what belongs to it; the same in all processes. */
  readonly times?: Partial<ClusterTimes>
  /** Called when the database lacks what this process knew it to have, as after a fail-over to an asynchronous standby. */
  readonly onMissing?: (missing: MissingBatches) => void
  /** Receives warnings of the start: of standbys that may lack what was acknowledged. */
  readonly onWarning?: (text: string) => void
  /** Receives errors that no caller waits for: of idle connections, beats, listeners. */
  readonly onError?: (error: unknown) => void
}

/** The options of a store, with what was left out. */
export interface CompleteOptions extends Required<PostgresStoreOptions> {
  readonly deadLetterLimits: DeadLetterLimits
  readonly times: ClusterTimes
}

export function completeOptions(options: PostgresStoreOptions): CompleteOptions {
  const {
    schema = defaultSchema,
    budgetBytes = 64 * 1_024 ** 3,
    recentBytesMax = 32 * 1024 ** 2,
    receiptsMax = 100_000,
    auditEntriesMax = 100_000,
    schemaLimits = {},
    onMissing = () => {},
    onWarning = () => {},
    onError = () => {},
  } = options
  const given = {
    schema,
    budgetBytes,
    recentBytesMax,
    receiptsMax,
    auditEntriesMax,
    schemaLimits,
    onMissing,
    onWarning,
    onError,
  }
  const deadLetterLimits = withDefaults(defaultDeadLetterLimits, options.deadLetterLimits)
  return { ...options, ...given, deadLetterLimits, times: withDefaults(defaultClusterTimes, options.times) }
}

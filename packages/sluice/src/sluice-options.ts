import type { Clock, JsonObject, Random } from '@sluice/core'
import type { Transport } from '@sluice/delivery'
import type { DestinationDefinition } from '@sluice/destinations'
import type {
  DeadLetterLimits,
  DeadLetterUsage,
  DeliveryOptions,
  RetentionOptions,
  RetryOptions,
  Store,
  Telemetry,
} from '@sluice/pipeline'
import type { WhenUnavailable } from '@sluice/regulation'
import type { SandboxOptions } from '@sluice/sandbox'
import type { NewVersion, SchemaLimits } from '@sluice/schema'
import type { Logger } from './logger.ts'
import type { WorkspaceDefinition, WorkspacesDefinition } from './workspace/workspace-schema.ts'

/** What `createSluice` can be told; KNOBS.md lists all of it with defaults and reasons. */
export interface SluiceOptions {
  /** One workspace, or several as `{workspaces: […]}`; RudderStack's `workspaceConfig.json` is understood too. */
  readonly workspace: WorkspaceDefinition | WorkspacesDefinition | JsonObject
  /** Where everything is remembered; default in memory. `openSqliteStore` of `@sluice/storage` keeps it on disk. */
  readonly store?: Store
  /** Destination types beside the built-in ones, and of other names. `readWorkspaceFile` gives those a file names. */
  readonly destinations?: readonly DestinationDefinition[]
  /** Admin credentials: they open the Data Governance API, which is not there without them, and what operators look at. */
  readonly admin?: { readonly user: string; readonly password: string }
  /** True keeps the Data Governance API out of `fetch`, for a port of its own; `areas.governance` is there all the same. */
  readonly governanceApart?: boolean
  /** Answers of the Data Governance API as odd as RudderStack's; default false, with honest ones. */
  readonly strictCompatibility?: boolean
  /**
   * What differs from the default limits of the schema catalogue, in memory and in the store made here. A store that is
   * given has limits of its own.
   */
  readonly schemaLimits?: Partial<SchemaLimits>
  /** Where and how user code runs: worker threads or this one, isolation, limits, what it may fetch. */
  readonly sandbox?: Omit<SandboxOptions, 'clock' | 'random' | 'probes'>
  /**
   * The address of a client, for `request_ip` of events and for slowing down those that guess credentials; default the peer of
   * the connection. Behind a proxy, read the header that the proxy sets, and no other.
   */
  clientIp?(request: Request, env: unknown): string
  /** Origins that browsers may send events from; default all. */
  readonly corsOrigins?: '*' | readonly string[]
  /** What is done with events while it is not known who is suppressed; default `refuse`, with 503 over HTTP. */
  readonly onSuppressionUnavailable?: WhenUnavailable
  /** Users times destinations that regulations may delete within an hour, per workspace; default 200,000. */
  readonly deletionsPerHour?: number
  /**
   * Events of a source whose messageId was accepted within `windowMs` are acknowledged and counted as duplicates, and go
   * nowhere. Default off: senders that send again after an unclear answer then have events delivered twice.
   * `idsMax` is how many are remembered, the oldest forgotten first; default 1,000,000, about 100 MB on disk.
   */
  readonly deduplication?: { readonly windowMs: number; readonly idsMax?: number }
  /** How requests are sent: how many at a time, how long one may take, how often one is tried at once. */
  readonly delivery?: DeliveryOptions
  /** What the log keeps of what everything has passed, for replays; default 24 hours and 512 MiB. */
  readonly retention?: Partial<RetentionOptions>
  /**
   * What user code may have made that destinations have not taken yet, in bytes of JSON text; default 192 MiB. Then events
   * wait in the log before they are transformed. Half of it is kept for the workspaces in equal parts.
   */
  readonly transformedBytesMax?: number
  /** How long and how often events are tried again that could not be delivered; default 3 hours and 3 attempts. */
  readonly retries?: Partial<RetryOptions>
  /**
   * What differs from the default limits of the dead letters (100,000 letters, 1 GiB, 30 days), in the store made here. A
   * store that is given has limits of its own.
   */
  readonly deadLetterLimits?: Partial<DeadLetterLimits>
  /**
   * What is kept of where events went: of how many the store made here keeps the receipts (default 100,000; a store that
   * is given has a limit of its own), or `'off'`: then nothing is told of an event that has ended.
   */
  readonly receipts?: number | 'off'
  /**
   * Who is told of work on batches, beside `GET /metrics`: `'opentelemetry'` sends spans and metrics to the SDK registered
   * with `@opentelemetry/api`, which has to be installed then.
   */
  readonly telemetry?: 'opentelemetry' | Telemetry
  /** Where structured lines go, a pino logger for example; default nowhere. They hold no payloads and no secrets. */
  readonly logger?: Logger
  /** Told when the dead letters reach 80 % of a limit, and again after they were below; at 100 % the oldest are forgotten. */
  onDeadLettersFull?(usage: DeadLetterUsage): void
  /**
   * Ranges like `10.1.0.0/16` that destinations may be in although they are not public; `'localhost'` stands for this
   * machine. Default none: who may set a destination, and events that choose their address, must not reach what only this
   * machine can.
   */
  readonly allowAddresses?: readonly string[]
  /** How requests leave, `allowAddresses` included; default `createTransport` of `@sluice/delivery`. It stays open when the pipeline stops. */
  readonly transport?: Transport
  readonly clock?: Clock
  readonly random?: Random
  /** Values of `env:NAME` access tokens; default the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Told of failures that Sluice gets over by itself; default nobody. */
  onError?(error: unknown): void
  /** Told of each shape of an event that was stored for the first time; default nobody. */
  onNewVersion?(workspaceId: string, version: NewVersion): void
  /** Told, once each, where a connection made through the API wins over the workspace file; default nobody. */
  onConflict?(text: string): void
}

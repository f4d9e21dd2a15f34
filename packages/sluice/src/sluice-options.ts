import type { Clock, OnInvalid, Random } from '@sluice/core'
import type { Transport } from '@sluice/delivery'
import type { DestinationSource } from '@sluice/destinations'
import type { BrowserSdks, StudioFiles } from '@sluice/http'
import type {
  DeadLetterLimits,
  DeadLetterUsage,
  DeliveryOptions,
  RetentionOptions,
  RetryOptions,
  StageOptions,
  Store,
  Telemetry,
} from '@sluice/pipeline'
import type { LedgerPlace, WhenUnavailable } from '@sluice/regulation'
import type { SandboxOptions } from '@sluice/sandbox'
import type { NewVersion, SchemaLimits } from '@sluice/schema'
import type { Logger } from './logger.ts'
import type { ParsedWorkspace } from './workspace/typed/parsed-workspace.ts'
import type { WorkspaceDefinition, WorkspacesDefinition } from './workspace/typed/workspace-definition.ts'

/** Where and how regulations are kept apart from the store and its backups. */
export interface LedgerPlaceOptions {
  /** `createFolderLedgerPlace` of `@sluice/storage`, or `openPostgresLedgerPlace` of `@sluice/postgres`. */
  readonly place: LedgerPlace
  /**
   * A text of 32 characters or more that cannot be guessed. The ids of users whose deletion was ordered are kept encrypted
   * under it, so that a restored store orders it again. Default: they are not kept, and such deletions are aborted;
   * those whose ids were kept wait for the key.
   */
  readonly key?: string
  /** How long backups of the store are kept: so long the encrypted ids stay, after the deletion; default 90. */
  readonly backupsKeptDays?: number
}

/**
 * Options of `createSluice`. KNOBS.md lists them with defaults and reasons.
 *
 * `createSluice` infers the type parameters: ids of the workspace (`SourceId`, `DestinationId`), definitions that are passed as
 * `destinations` (`Own`), and ids that connections name (`From`, `To`). By default, any ids and types are allowed.
 */
export interface SluiceOptions<
  SourceId extends string = string,
  DestinationId extends string = string,
  Own extends DestinationSource = DestinationSource,
  From extends string = string,
  To extends string = string,
> {
  /**
   * One workspace, several as `{workspaces: […]}`, or what `parseWorkspace` and `readWorkspaceFile` return. What it defines
   * cannot be changed through the API; the API adds more. Default: what the store has, at first an empty workspace `default`.
   */
  readonly workspace?:
    | WorkspaceDefinition<SourceId, DestinationId, Own, From, To>
    | WorkspacesDefinition<Own>
    | ParsedWorkspace
  /**
   * True allows the API to configure destinations that write to the disk or the terminal of this process (FILE,
   * PARQUET, DUCKDB, CONSOLE); default false: only `workspace` may.
   */
  readonly localDestinations?: boolean
  /** Default in memory. `openSqliteStore` of `@sluice/storage` stores everything on disk. */
  readonly store?: Store
  /** Keeps each regulation a second time, so that a store that was restored gets back the later ones; default: no. */
  readonly ledger?: LedgerPlaceOptions
  /** Destination types in addition to the built-in ones. `readWorkspaceFile` returns those that a file names. */
  readonly destinations?: readonly Own[]
  /** Admin credentials, for the Data Governance API and the operators' routes. Without them that API is off. */
  readonly admin?: { readonly user: string; readonly password: string }
  /** True leaves the Data Governance API out of `fetch`, so that `areas.governance` can have its own port. */
  readonly governanceApart?: boolean
  /**
   * Files of the studio, which `fetch` serves at `/studio`: `readStudioFiles()` of `@sluice/studio`. Default none: there is
   * no page.
   */
  readonly studio?: StudioFiles
  /**
   * Scripts of browser SDKs that pages may load from here. Default: those of `@segment/analytics-next` and
   * `@rudderstack/analytics-js`, when these packages are installed beside Sluice, or in one of the given folders or above it.
   */
  readonly browserSdks?: BrowserSdks | readonly string[]
  /** True makes the Data Governance API answer exactly like RudderStack's, oddities included; default false. */
  readonly strictCompatibility?: boolean
  /**
   * Overrides of the default limits of the schema catalogue, in memory and in the default store. A store passed as
   * `store` has its own limits.
   */
  readonly schemaLimits?: Partial<SchemaLimits>
  /** How user code runs: worker threads or this one, isolation, limits, hosts it may fetch from. */
  readonly sandbox?: Omit<SandboxOptions, 'clock' | 'random' | 'probes'>
  /**
   * Workspaces whose user code is trusted, and so runs in V8, beside those whose file says `sandbox: { code: trusted }`.
   * With `sandbox.code`, all are. Default: none.
   */
  readonly trustedWorkspaces?: readonly string[]
  /**
   * Returns the address of a client, for `request_ip` of events and for slowing down attackers who guess credentials;
   * default the peer of the connection. Behind a proxy, read only the header that the proxy sets.
   */
  clientIp?(request: Request, env: unknown): string
  /**
   * Path below which `fetch` answers, as `/events`, for frameworks that pass requests with their whole path; default none.
   * The single areas do not consider it.
   */
  readonly basePath?: string
  /**
   * Address that others reach the server at, as `https://cdp.shop.example/events`, `basePath` included: for addresses and the
   * domain in answers and call-backs of OpenDSR. Default: where each request was sent to, which is plain HTTP behind a proxy
   * that ends TLS.
   */
  readonly publicAddress?: string
  /** Origins that browsers may send events from; default all. */
  readonly corsOrigins?: '*' | readonly string[]
  /** What to do with events while the suppressed users cannot be read; default `refuse`, with 503 over HTTP. */
  readonly onSuppressionUnavailable?: WhenUnavailable
  /** Limit of deletions per hour and workspace, counted as users × destinations; default 200,000. */
  readonly deletionsPerHour?: number
  /**
   * Deduplication: an event whose messageId the source sent before within `windowMs` is acknowledged and counted as a
   * duplicate, but not processed. Default off: an event is delivered twice when its sender repeats a request. `idsMax`
   * is the number of ids to remember, the newest; default 1,000,000, about 100 MB on disk.
   */
  readonly deduplication?: { readonly windowMs: number; readonly idsMax?: number }
  /**
   * What a malformed event of a call over HTTP costs, where its source does not say: the whole call (default, as
   * RudderStack), or only itself.
   */
  readonly onInvalid?: OnInvalid
  /** Stages of your own: before the log, and at destinations before the user transformation. */
  readonly stages?: StageOptions
  /** How requests are sent: concurrency, time limits, and attempts in a row. */
  readonly delivery?: DeliveryOptions
  /** How long and how much the log keeps for replays after every consumer has passed; default 24 hours and 512 MiB. */
  readonly retention?: Partial<RetentionOptions>
  /**
   * How many of the last requests that a destination accepted are kept in memory, for people who look at an event in the
   * studio; default 20, for at most 15 minutes. They hold personal data, which is shown masked. 0 keeps none.
   */
  readonly keptDeliveries?: number
  /**
   * Limit for transformed events that destinations have not taken yet, in bytes of JSON text; default 192 MiB. Above
   * it, events wait in the log before they are transformed. Half of it is reserved for the workspaces in equal parts.
   */
  readonly transformedBytesMax?: number
  /** How long, and at least how often, delivery of an event is retried; default 3 hours and 3 attempts. */
  readonly retries?: Partial<RetryOptions>
  /**
   * Overrides of the default limits of the dead letters (100,000, 1 GiB, 30 days) in the default store. A store passed
   * as `store` has its own limits.
   */
  readonly deadLetterLimits?: Partial<DeadLetterLimits>
  /**
   * Number of event receipts to keep in the default store (default 100,000; a store passed as `store` has its own
   * limit). `'off'` stores no receipts; lookups then find only pending and failed events.
   */
  readonly receipts?: number | 'off'
  /**
   * Receives telemetry in addition to `GET /metrics`. `'opentelemetry'` sends spans and metrics to the SDK registered
   * with `@opentelemetry/api`, which must be installed.
   */
  readonly telemetry?: 'opentelemetry' | Telemetry
  /**
   * Receives structured log lines, for example a pino logger. They contain no payloads and no secrets. Default: only
   * destinations that fail are logged, to the console; `'off'` writes nothing.
   */
  readonly logger?: Logger | 'off'
  /** Called each time the dead letters rise to 80 % of a limit. At 100 % the oldest are deleted. */
  onDeadLettersFull?(usage: DeadLetterUsage): void
  /**
   * Non-public address ranges that destinations may use, such as `10.1.0.0/16`; `'localhost'` means this machine.
   * Default none: users who configure destinations, and events that choose an address, must not reach internal systems.
   */
  readonly allowAddresses?: readonly string[]
  /**
   * Where warehouses are loaded and searched: in `processes` of their own, or `here`, for programs that may start no others.
   * Default `processes`, so that no server and no load can stop or slow this process.
   */
  readonly warehouses?: 'processes' | 'here'
  /**
   * Sends requests, and replaces `allowAddresses`; default `createTransport` of `@sluice/delivery`. A transport passed
   * here stays open when the pipeline stops.
   */
  readonly transport?: Transport
  readonly clock?: Clock
  readonly random?: Random
  /** Values of `env:NAME` in the workspace; default the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Receives errors from which Sluice recovers by itself; default none. */
  onError?(error: unknown): void
  /** Called for each event shape stored for the first time; default none. */
  onNewVersion?(workspaceId: string, version: NewVersion): void
  /** Called once for each connection made through the API that overrides the workspace file; default none. */
  onConflict?(text: string): void
}

import type { Configuration } from '@sluice/configuration'
import type { OnInvalid, Workspace } from '@sluice/core'
import type { DestinationSource } from '@sluice/destinations'
import type {
  BudgetUsage,
  DeadLetters,
  EventReceipt,
  EventTrace,
  IngestResult,
  ProcessResult,
  SourceStats,
} from '@sluice/pipeline'
import type { Certificates, Deletions, Regulations } from '@sluice/regulation'
import type { Catalogue } from '@sluice/schema'
import type { Transformations } from '@sluice/transformations'
import type { SluiceOptions } from './sluice-options.ts'

/** A running pipeline. */
export interface Sluice {
  /**
   * Ingests events of one source. They are durable when the promise resolves with `ok`.
   * @param options.onInvalid whether a malformed event fails the whole call or only itself. Default: as its source says, then the options.
   */
  ingest(
    writeKey: string,
    events: readonly unknown[],
    options?: { readonly onInvalid?: OnInvalid },
  ): Promise<IngestResult>
  /**
   * Processes events of one source through the whole flow immediately, without the log, for programs with their own
   * queue. When the promise resolves, each event has ended at every destination. Nothing is retried later and nothing
   * becomes a dead letter: the caller handles failures. Calls of a workspace run one at a time, which keeps the order
   * of each user; await each call for back-pressure. At most 1,000 calls wait; more are refused.
   * @param options.signal aborts the call, which rejects with the signal's reason; nothing of it is counted.
   */
  process(
    writeKey: string,
    events: readonly unknown[],
    options?: { readonly onInvalid?: OnInvalid; readonly signal?: AbortSignal },
  ): Promise<ProcessResult>
  /**
   * Waits until everything ingested so far has ended at every destination. A destination that cannot be reached is tried for
   * hours: see the option `retries`.
   * @param options.timeoutMs longest wait; default none.
   * @returns whether everything has ended; false when the time was over. Delivery continues all the same.
   */
  settled(options?: { readonly timeoutMs?: number }): Promise<boolean>
  /** Returns where one event went. The workspace can be left out when there is only one. */
  receipts(messageId: string, workspaceId?: string): Promise<readonly EventReceipt[]>
  /**
   * Returns where one event went, stage by stage, also while it is in progress. Undefined for an unknown id, a
   * suppressed event, and one whose records have been deleted.
   */
  trace(messageId: string, workspaceId?: string): Promise<EventTrace | undefined>
  /** Returns the metrics of one workspace, or of all, as Prometheus text. */
  metrics(workspaceId?: string): Promise<string>
  /**
   * Returns counts of received, rejected, suppressed, dropped, failed, delivered and pending events per source and
   * destination.
   */
  stats(workspaceId?: string): Promise<readonly SourceStats[]>
  /** Returns how much a workspace uses of the budgets that all workspaces share. */
  usage(workspaceId?: string): Promise<readonly BudgetUsage[]>
  readonly regulations: Regulations
  /** Status of the deletions that regulations request. */
  readonly deletions: Pick<Deletions, 'ofRegulation'>
  /** Signed statements that a person's data was deleted; need the option `ledger`. */
  readonly certificates: Certificates
  /** Failed events, to inspect, replay or remove. */
  readonly deadLetters: DeadLetters
  /** Event shapes seen so far, with samples and frequent values. */
  readonly catalogue: Catalogue
  /** Transformations and libraries with their versions. Published code runs from the next batch on. */
  readonly transformations: Transformations
  readonly workspaces: readonly Workspace[]
  /** Sources, destinations, connections, tokens and credentials: what the workspace file has, and what the API added. */
  readonly configuration: Configuration
  /**
   * Applies a new definition between two batches, completely or not at all.
   * @param destinations replaces the destination types in addition to the built-in ones; default unchanged.
   * @throws WorkspaceFileError
   */
  updateWorkspace<
    const SourceId extends string,
    const DestinationId extends string,
    const From extends string,
    const To extends string,
    Own extends DestinationSource = never,
  >(
    definition: NonNullable<SluiceOptions<SourceId, DestinationId, Own, From, To>['workspace']>,
    destinations?: readonly Own[],
  ): Promise<void>
  /** All HTTP areas on one handler. */
  readonly fetch: (request: Request, env?: unknown) => Response | Promise<Response>
  /** The single HTTP areas, to mount where you like. `governance` exists only with admin credentials. */
  readonly areas: {
    readonly ingestion: FetchArea
    readonly transformations: FetchArea
    readonly regulations: FetchArea
    readonly certificates: FetchArea
    /** OpenDSR as a processor: `/opendsr/v2`. */
    readonly opendsr: FetchArea
    readonly userReports: FetchArea
    readonly test: FetchArea
    readonly checks: FetchArea
    readonly catalogue: FetchArea
    readonly deadLetters: FetchArea
    readonly jobs: FetchArea
    readonly replays: FetchArea
    readonly configuration: FetchArea
    readonly definitions: FetchArea
    readonly operations: FetchArea
    readonly payloads: FetchArea
    readonly recordedEvents: FetchArea
    /** `POST /v2/tracking-plans/check`. */
    readonly planChecks: FetchArea
    readonly diffs: FetchArea
    readonly audit: FetchArea
    readonly changes: FetchArea
    readonly server: FetchArea
    /** `GET /v1/tap`, a stream that stays open until `endTaps` or `stop`. */
    readonly tap: FetchArea
    /** `GET /v1/logs`, a stream like that of the tap. */
    readonly logs: FetchArea
    readonly health: FetchArea
    /** `GET /openapi.json`, which covers all areas. */
    readonly openapi: FetchArea
    readonly governance?: FetchArea
    /** The page at `/studio`; exists only with the option `studio`. */
    readonly studio?: FetchArea
    /** `GET /v1/backup`; exists only with admin credentials. */
    readonly backup?: FetchArea
  }
  /**
   * Returns a code that opens one session of the studio within ten minutes, with access to everything: for a link
   * `…/studio/#code=…` that is shown to the operator. Exists only with the option `studio`.
   */
  issueStudioCode?(): Promise<string>
  /** Ends all taps, so that an HTTP server waiting for open responses can close. `stop` does the same. */
  endTaps(): void
  /** Stops ingestion, finishes the batches in progress within `deadlineMs` (default 10 s), and closes the store. */
  stop(deadlineMs?: number): Promise<void>
}

/** Answers HTTP requests in terms of the Fetch standard. */
export interface FetchArea {
  fetch(request: Request, env?: unknown): Response | Promise<Response>
}

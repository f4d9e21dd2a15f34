import type { Workspace } from '@sluice/core'
import type { DestinationDefinition } from '@sluice/destinations'
import type {
  BudgetUsage,
  DeadLetters,
  EventReceipt,
  EventTrace,
  IngestResult,
  ProcessResult,
  SourceStats,
} from '@sluice/pipeline'
import type { Deletions, Regulations } from '@sluice/regulation'
import type { Catalogue } from '@sluice/schema'
import type { Transformations } from '@sluice/transformations'

/** A running pipeline. */
export interface Sluice {
  /**
   * Takes in the events of one source; they are durable when the promise resolves with `ok`.
   * @param options.onInvalid whether one malformed event refuses the call (default) or only itself.
   */
  ingest(
    writeKey: string,
    events: readonly unknown[],
    options?: { readonly onInvalid?: 'refuse-call' | 'refuse-event' },
  ): Promise<IngestResult>
  /**
   * Takes the events of one source through the whole flow at once, without the log, for programs that have a queue of
   * their own. Each has ended at every destination when the promise resolves; nothing is tried again later and nothing
   * becomes a dead letter, so what failed is the caller's. One call of a workspace runs at a time, which keeps the order
   * of every user; await each to be held back by slow destinations. At most 1,000 may wait, then they are refused.
   * @param options.signal gives the call up: it rejects with the reason of the signal, and nothing of it is counted.
   */
  process(
    writeKey: string,
    events: readonly unknown[],
    options?: { readonly onInvalid?: 'refuse-call' | 'refuse-event'; readonly signal?: AbortSignal },
  ): Promise<ProcessResult>
  /** Resolves once everything ingested so far has ended at every destination. */
  settled(): Promise<void>
  /** Where one event went. The workspace may be left out when there is only one. */
  receipts(messageId: string, workspaceId?: string): Promise<readonly EventReceipt[]>
  /**
   * Where one event went, stage by stage, also while it is on its way. Undefined for an id never seen, for an event that was
   * suppressed, and for one of which nothing is kept any more.
   */
  trace(messageId: string, workspaceId?: string): Promise<EventTrace | undefined>
  /** Prometheus text of one workspace, or of all. */
  metrics(workspaceId?: string): Promise<string>
  /** What was received, rejected, suppressed, dropped, failed, delivered and is pending; per source and destination. */
  stats(workspaceId?: string): Promise<readonly SourceStats[]>
  /** How much a workspace uses of the budgets that all workspaces share. */
  usage(workspaceId?: string): Promise<readonly BudgetUsage[]>
  readonly regulations: Regulations
  /** What became of the deletions that regulations ask for. */
  readonly deletions: Pick<Deletions, 'ofRegulation'>
  /** Events that failed, to be looked at, replayed or removed. */
  readonly deadLetters: DeadLetters
  /** What shapes of events were seen, with samples and frequent values. */
  readonly catalogue: Catalogue
  /** Transformations and libraries with their versions; what is published through it runs from the next batch on. */
  readonly transformations: Transformations
  readonly workspaces: readonly Workspace[]
  /**
   * Applies another definition between two batches, whole or not at all.
   * @param destinations from now on, the destination types beside the built-in ones; left out, they stay.
   * @throws WorkspaceFileError
   */
  updateWorkspace(definition: unknown, destinations?: readonly DestinationDefinition[]): Promise<void>
  /** All HTTP areas on one handler. */
  readonly fetch: (request: Request, env?: unknown) => Response | Promise<Response>
  /** The HTTP areas one by one, to mount them where you like. `governance` is there when admin credentials are. */
  readonly areas: {
    readonly ingestion: FetchArea
    readonly transformations: FetchArea
    readonly regulations: FetchArea
    readonly test: FetchArea
    readonly deadLetters: FetchArea
    readonly replays: FetchArea
    readonly configuration: FetchArea
    readonly definitions: FetchArea
    readonly operations: FetchArea
    /** `GET /v1/tap`; a stream that stays open until `endTaps` or `stop`. */
    readonly tap: FetchArea
    readonly health: FetchArea
    /** `GET /openapi.json`, which covers all areas. */
    readonly openapi: FetchArea
    readonly governance?: FetchArea
    /** `GET /v1/backup`; there when admin credentials are. */
    readonly backup?: FetchArea
  }
  /** Ends the open taps for good, so that an HTTP server that waits for its answers can close. `stop` does it too. */
  endTaps(): void
  /** Stops taking events, ends the batches under way within `deadlineMs` (default 10 s), closes the store. */
  stop(deadlineMs?: number): Promise<void>
}

/** Answers HTTP requests as the Fetch standard has them. */
export interface FetchArea {
  fetch(request: Request, env?: unknown): Response | Promise<Response>
}

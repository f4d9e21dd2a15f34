import { type Clock, fairLevel, SharedBudget, StoreFullError } from '@sluice/core'
import type { KeptBatches, LogUsage } from '@sluice/pipeline'
import type { Db, SqlSession } from '../sql-session.ts'
import type { LogRow } from './log-rows.ts'
import { trimLog } from './trim-log.ts'

/** Shares of the budget: above the first, batches kept only for replays are deleted until usage is below the second. */
export const crowded = 0.8
const relieved = 0.7
/** Shortest time between two looks at the free disk space, and between two clean-ups. */
const lookMs = 1_000
/** Shortest time between two sums of the logs, which read an index of all batches. Appends in between are added. */
const addUpMs = 2_000
/** Share of its part of the budget that a workspace may use for replays while others need room. */
const keptShare = 0.9

interface LogBudgetOptions {
  readonly clock: Clock
  /** The disk of the store, undefined when there is none to look after; `place` is for messages. */
  readonly disk?: { readonly place: string; readonly freeBytes: () => number } | undefined
  readonly usedBytes: () => number
  readonly budgetBytes: number
  /** Deletes what is kept only for replays: see `EventLog.trim`. Default: in a log without lanes. */
  readonly trim?: (workspaceId: string, kept: KeptBatches) => Promise<unknown>
  /** Space that must stay free on the disk. */
  readonly reserveBytes: number
}

/**
 * Decides whether there is room for another batch. Batches kept only for replays are deleted before any is refused.
 * Half of the room for logs is reserved for the workspaces in equal parts; a workspace that fills the other half is the
 * only one refused.
 */
export class LogBudget {
  readonly #session: SqlSession
  readonly #options: LogBudgetOptions
  #lookedAt = Number.NEGATIVE_INFINITY
  #freeBytes = Number.POSITIVE_INFINITY
  #relievedAt = Number.NEGATIVE_INFINITY
  #relieving: Promise<void> | undefined
  /** Bytes of the logs, without the rest of the store. */
  #logs = new SharedBudget(0)
  #addedUpAt = Number.NEGATIVE_INFINITY

  constructor(session: SqlSession, options: LogBudgetOptions) {
    this.#session = session
    this.#options = options
  }

  /** @throws StoreFullError when there is no room for a batch of a workspace. */
  async require(db: Db, workspaceId: string): Promise<void> {
    const { budgetBytes, reserveBytes, usedBytes, disk } = this.#options
    const used = usedBytes()
    if (used >= budgetBytes * crowded) this.#startRelieving()
    if (used >= budgetBytes)
      throw new StoreFullError(
        `the store has used its ${budgetBytes} bytes; raise the budget or let consumers catch up`,
      )
    if (used >= budgetBytes / 2 && !(await this.#addUp(db)).share(workspaceId).admits)
      throw new StoreFullError(
        `workspace ${workspaceId} has used its share of ${budgetBytes} bytes; raise the budget or let its consumers catch up`,
      )
    if (this.#look() < reserveBytes)
      throw new StoreFullError(
        `less than ${reserveBytes} bytes are free on the disk of ${disk?.place}; make room there`,
      )
  }

  async usage(db: Db, workspaceId: string): Promise<LogUsage> {
    const logs = await this.#addUp(db)
    const { held, reserved } = logs.share(workspaceId)
    return { bytes: held, budget: { bytes: Math.round(logs.total), reserved: Math.round(reserved) } }
  }

  /** Counts a batch stored in a transaction. If that fails, the next sum corrects the count. */
  appended({ workspace_id, bytes }: Pick<LogRow, 'workspace_id' | 'bytes'>): void {
    this.#logs.share(workspace_id).take(bytes)
  }

  /** Forces a new sum, after batches were deleted. */
  trimmed(): void {
    this.#addedUpAt = Number.NEGATIVE_INFINITY
  }

  /** Returns the bytes of each workspace, including those without batches. */
  async #addUp(db: Db): Promise<SharedBudget> {
    const { clock, budgetBytes, usedBytes } = this.#options
    const now = clock.now()
    if (Math.abs(now - this.#addedUpAt) < addUpMs) return this.#logs
    this.#addedUpAt = now
    const known = await db.selectFrom('log_cursor').select('workspace_id').distinct().execute()
    const sums = await db
      .selectFrom('log_batch')
      .select(['workspace_id', ({ fn }) => fn.sum<number>('bytes').as('bytes')])
      .groupBy('workspace_id')
      .execute()
    const bytes = sums.reduce((total, sum) => total + sum.bytes, 0)
    const logs = new SharedBudget(Math.max(0, budgetBytes - Math.max(0, usedBytes() - bytes)))
    for (const { workspace_id } of known) logs.share(workspace_id)
    for (const sum of sums) logs.share(sum.workspace_id).take(sum.bytes)
    this.#logs = logs
    return logs
  }

  #look(): number {
    const { clock, disk } = this.#options
    const now = clock.now()
    if (disk === undefined || Math.abs(now - this.#lookedAt) < lookMs) return this.#freeBytes
    this.#lookedAt = now
    this.#freeBytes = disk.freeBytes()
    return this.#freeBytes
  }

  #startRelieving(): void {
    const now = this.#options.clock.now()
    if (this.#relieving || Math.abs(now - this.#relievedAt) < lookMs) return
    this.#relievedAt = now
    // The next write fails with the same error and reports it.
    this.#relieving = this.#relieve()
      .catch(() => {})
      .finally(() => {
        this.#relieving = undefined
      })
  }

  /** Trims the largest logs first, and none below its part: a flood in one workspace costs the others no replays. */
  async #relieve(): Promise<void> {
    const { usedBytes, budgetBytes, trim = (id, kept) => trimLog(this.#session, id, kept) } = this.#options
    this.trimmed()
    const { shares, used } = await this.#session.read((db) => this.#addUp(db))
    const excess = usedBytes() - budgetBytes * relieved
    const amounts = [...shares.values()].map(({ held }) => held)
    const level = fairLevel(amounts, Math.max(0, used - excess))
    for (const [workspaceId, { held, reserved }] of shares) {
      const bytesMax = Math.max(level, reserved * keptShare)
      if (held > bytesMax) await trim(workspaceId, { since: 0, bytesMax })
    }
    this.trimmed()
  }
}

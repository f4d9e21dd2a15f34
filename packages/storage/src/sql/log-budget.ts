import { statfsSync } from 'node:fs'
import { type Clock, fairLevel, SharedBudget, StoreFullError } from '@sluice/core'
import type { LogUsage } from '@sluice/pipeline'
import { StoreUnusableError } from '../store-errors.ts'
import type { LogRow } from './log-rows.ts'
import type { Db, SqlSession } from './sql-session.ts'
import { trimLog } from './trim-log.ts'

/** Of the budget: from here on what is only kept makes room, until less than the second is used. */
const crowded = 0.8
const relieved = 0.7
/** How often the disk is asked what is free, and room is made at most. */
const lookMs = 1_000
/** How often logs are added up at most: it reads an index of all batches. What is appended meanwhile is added. */
const addUpMs = 2_000
/** Of its part of the budget: what a workspace keeps at most of what it might replay while others need room. */
const keptShare = 0.9

export interface LogBudgetOptions {
  readonly clock: Clock
  /** Where the store is; undefined when it is in memory. */
  readonly folder: string | undefined
  readonly usedBytes: () => number
  readonly budgetBytes: number
  /** What is to stay free on the disk. */
  readonly reserveBytes: number
}

/**
 * Decides whether there is room for another batch; what is only kept to be replayed makes room before one is refused.
 * Half of what logs may take is kept for the workspaces, in equal parts: one that fills the other half is refused alone.
 */
export class LogBudget {
  readonly #session: SqlSession
  readonly #options: LogBudgetOptions
  #lookedAt = Number.NEGATIVE_INFINITY
  #freeBytes = Number.POSITIVE_INFINITY
  #relievedAt = Number.NEGATIVE_INFINITY
  #relieving: Promise<void> | undefined
  /** What the logs take; what else is in the store is not part of it. */
  #logs = new SharedBudget(0)
  #addedUpAt = Number.NEGATIVE_INFINITY

  constructor(session: SqlSession, options: LogBudgetOptions) {
    this.#session = session
    this.#options = options
  }

  /** @throws StoreFullError when there is no room for a batch of a workspace. */
  async require(db: Db, workspaceId: string): Promise<void> {
    const { budgetBytes, reserveBytes, usedBytes, folder } = this.#options
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
      throw new StoreFullError(`less than ${reserveBytes} bytes are free on the disk of ${folder}; make room there`)
  }

  async usage(db: Db, workspaceId: string): Promise<LogUsage> {
    const logs = await this.#addUp(db)
    const { held, reserved } = logs.share(workspaceId)
    return { bytes: held, budget: { bytes: Math.round(logs.total), reserved: Math.round(reserved) } }
  }

  /** A batch was stored, as part of a transaction: should it fail, the next sum is right again. */
  appended({ workspace_id, bytes }: Pick<LogRow, 'workspace_id' | 'bytes'>): void {
    this.#logs.share(workspace_id).take(bytes)
  }

  /** Batches were forgotten. */
  trimmed(): void {
    this.#addedUpAt = Number.NEGATIVE_INFINITY
  }

  /** What each workspace takes, those included that have appended nothing. */
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

  /**
   * @throws StoreFullError when so much cannot be written to a folder without using what is to stay free;
   * StoreUnusableError when there is no such folder.
   */
  requireDisk(folder: string, bytes: number): void {
    const { reserveBytes } = this.#options
    let free = 0
    try {
      const { bavail, bsize } = statfsSync(folder)
      free = bavail * bsize
    } catch (error) {
      throw new StoreUnusableError(
        `nothing can be written to ${folder}: ${error instanceof Error ? error.message : error}`,
      )
    }
    if (free < bytes + reserveBytes)
      throw new StoreFullError(`${bytes} bytes, and ${reserveBytes} more, are not free on the disk of ${folder}`)
  }

  #look(): number {
    const { clock, folder } = this.#options
    const now = clock.now()
    if (folder === undefined || Math.abs(now - this.#lookedAt) < lookMs) return this.#freeBytes
    this.#lookedAt = now
    const { bavail, bsize } = statfsSync(folder)
    this.#freeBytes = bavail * bsize
    return this.#freeBytes
  }

  #startRelieving(): void {
    const now = this.#options.clock.now()
    if (this.#relieving || Math.abs(now - this.#relievedAt) < lookMs) return
    this.#relievedAt = now
    // What fails here fails for whoever writes next, who is told.
    this.#relieving = this.#relieve()
      .catch(() => {})
      .finally(() => {
        this.#relieving = undefined
      })
  }

  /** Those that keep most give up first, and none what is below its part: another one's flood costs it no replay. */
  async #relieve(): Promise<void> {
    const { usedBytes, budgetBytes } = this.#options
    this.trimmed()
    const { shares, used } = await this.#session.read((db) => this.#addUp(db))
    const excess = usedBytes() - budgetBytes * relieved
    const amounts = [...shares.values()].map(({ held }) => held)
    const level = fairLevel(amounts, Math.max(0, used - excess))
    for (const [workspaceId, { held, reserved }] of shares) {
      const bytesMax = Math.max(level, reserved * keptShare)
      if (held > bytesMax) await trimLog(this.#session, workspaceId, { since: 0, bytesMax })
    }
    this.trimmed()
  }
}

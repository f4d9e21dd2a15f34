import { statfsSync } from 'node:fs'
import { type Clock, StoreFullError } from '@sluice/core'
import { StoreUnusableError } from '../store-errors.ts'
import type { SqlSession } from './sql-session.ts'
import { trimLog } from './trim-log.ts'

/** Of the budget: from here on what is only kept makes room, until less than the second is used. */
const crowded = 0.8
const relieved = 0.7
/** How often the disk is asked what is free, and room is made at most. */
const lookMs = 1_000

export interface LogBudgetOptions {
  readonly clock: Clock
  /** Where the store is; undefined when it is in memory. */
  readonly folder: string | undefined
  readonly usedBytes: () => number
  readonly budgetBytes: number
  /** What is to stay free on the disk. */
  readonly reserveBytes: number
}

/** Decides whether there is room for another batch; what is only kept to be replayed makes room before one is refused. */
export class LogBudget {
  readonly #session: SqlSession
  readonly #options: LogBudgetOptions
  #lookedAt = Number.NEGATIVE_INFINITY
  #freeBytes = Number.POSITIVE_INFINITY
  #relievedAt = Number.NEGATIVE_INFINITY
  #relieving: Promise<void> | undefined

  constructor(session: SqlSession, options: LogBudgetOptions) {
    this.#session = session
    this.#options = options
  }

  /** @throws StoreFullError when there is no room. */
  async require(): Promise<void> {
    const { budgetBytes, reserveBytes, usedBytes, folder } = this.#options
    const used = usedBytes()
    if (used >= budgetBytes * crowded) this.#startRelieving()
    if (used >= budgetBytes)
      throw new StoreFullError(
        `the store has used its ${budgetBytes} bytes; raise the budget or let consumers catch up`,
      )
    if (this.#look() < reserveBytes)
      throw new StoreFullError(`less than ${reserveBytes} bytes are free on the disk of ${folder}; make room there`)
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

  async #relieve(): Promise<void> {
    const { usedBytes, budgetBytes } = this.#options
    const rows = await this.#session.read((db) =>
      db.selectFrom('log_batch').select('workspace_id').distinct().orderBy('workspace_id').execute(),
    )
    const isEnough = (): boolean => usedBytes() < budgetBytes * relieved
    for (const { workspace_id } of rows) {
      if (isEnough()) return
      await trimLog(this.#session, workspace_id, { since: Number.MAX_SAFE_INTEGER, bytesMax: 0 }, isEnough)
    }
  }
}

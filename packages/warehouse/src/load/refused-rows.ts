import { hash } from 'node:crypto'
import type { DeliveryRequest } from '@sluice/destinations'
import type { TableRow } from '../rows/table-row.ts'
import { rowsOf } from './rows-of.ts'
import { type RefusedRow, WarehouseError } from './warehouse-error.ts'

/** How often rows are tried, at most: then what was found is enough for now, and the next load finds the rest. */
const trialsMax = 500
/** Refused rows after which all others of a table are refused, too, if none was accepted: then the table is at fault. */
const sameTableMax = 20
/** Refused rows that are remembered. */
const rememberedMax = 100_000

/** A row that waits for a load, under the name that its table gets. */
export interface RowToTry {
  readonly table: string
  readonly row: TableRow
}

/** Returns what a row is recognized by, when its event is processed again. */
export function digestOf({ table, names, values }: TableRow): string {
  return hash('sha256', JSON.stringify([table, names, values]), 'base64')
}

/**
 * Finds the rows that make a load fail, by halves: those of a half that is taken are fine.
 *
 * @param rows all rows of the load, with those of a table together.
 * @param attempt loads rows without keeping them. @returns why the product refuses them, undefined when it takes them.
 * @returns at least one row, unless every part is taken now.
 */
export async function findRefusedRows(
  rows: readonly RowToTry[],
  attempt: (rows: readonly RowToTry[]) => Promise<Error | undefined>,
): Promise<readonly RefusedRow[]> {
  const refused: RefusedRow[] = []
  const byTable = new Map<string, { refused: number; hasTaken: boolean; reason: string }>()
  let trials = 0

  async function isTaken(part: readonly RowToTry[]): Promise<boolean> {
    const tables = new Set(part.map(({ table }) => table))
    const [table = ''] = tables
    const known = byTable.get(table)
    if (tables.size === 1 && known && known.refused >= sameTableMax && !known.hasTaken) {
      refuse(part, known.reason)
      return false
    }
    if (trials >= trialsMax) return true
    trials += 1
    const error = await attempt(part)
    if (error === undefined) {
      for (const name of tables) stateOf(name).hasTaken = true
      return true
    }
    if (part.length === 1) refuse(part, reasonOf(error))
    else {
      const half = Math.ceil(part.length / 2)
      const first = await isTaken(part.slice(0, half))
      const second = await isTaken(part.slice(half))
      // Each half is fine, but not both: such as two rows with one key. The last one of the shortest part at fault is.
      if (first && second && trials < trialsMax) await refuseLast(part, half)
    }
    return false
  }

  /** @param taken rows at the beginning that are fine together. */
  async function refuseLast(part: readonly RowToTry[], taken: number): Promise<void> {
    let [low, high] = [taken, part.length]
    let reason = 'the rows do not fit together'
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      trials += 1
      const error = await attempt(part.slice(0, middle))
      if (error === undefined) low = middle
      else high = middle
      reason = error === undefined ? reason : reasonOf(error)
    }
    const last = await attempt(part.slice(0, high))
    refuse(part.slice(low, high), last === undefined ? reason : reasonOf(last))
  }

  function stateOf(table: string): { refused: number; hasTaken: boolean; reason: string } {
    const known = byTable.get(table) ?? { refused: 0, hasTaken: false, reason: '' }
    byTable.set(table, known)
    return known
  }

  function refuse(part: readonly RowToTry[], reason: string): void {
    for (const { table, row } of part) {
      const state = stateOf(table)
      state.refused += 1
      state.reason = reason
      refused.push({ digest: digestOf(row), reason: `table ${table}: ${reason}` })
    }
  }

  await isTaken(rows)
  return refused
}

/**
 * The rows that a warehouse has refused, or that could not be collected, so that their events fail when they are processed
 * again.
 */
export class RefusedRows {
  readonly #reasons = new Map<string, string>()
  readonly #collect: (rows: readonly TableRow[]) => void
  #count = 0
  #isSuspicious = false

  /** @param collect collects rows for nothing. It throws for those that cannot be collected. */
  constructor(collect: (rows: readonly TableRow[]) => void) {
    this.#collect = collect
  }

  get count(): number {
    return this.#count
  }

  remember(rows: readonly RefusedRow[]): void {
    for (const { digest, reason } of rows) this.#reasons.set(digest, reason)
    this.#count += rows.length
    for (const digest of this.#reasons.keys()) {
      if (this.#reasons.size <= rememberedMax) return
      this.#reasons.delete(digest)
    }
  }

  /** Rows of an event could not be collected: from now on, each event is tried before. */
  suspect(): void {
    this.#isSuspicious = true
    this.#count += 1
  }

  /** All rows that were collected have been loaded. */
  trust(): void {
    this.#isSuspicious = false
  }

  /** Returns why a row of these requests was refused, or cannot be collected; undefined when there is no such row. */
  reasonOf(requests: readonly DeliveryRequest[]): string | undefined {
    if (this.#reasons.size === 0 && !this.#isSuspicious) return undefined
    try {
      const rows = requests.flatMap(rowsOf)
      if (this.#isSuspicious) this.#collect(rows)
      for (const row of rows) {
        const reason = this.#reasons.get(digestOf(row))
        if (reason !== undefined) return reason
      }
      return undefined
    } catch (error) {
      return `its rows cannot be collected: ${textOf(error)}`
    }
  }
}

/** Returns whether a failed load may be the fault of one of its rows. */
export function isOfRows(error: unknown): error is Error {
  return (error instanceof WarehouseError && error.isOfRows) || isBug(error)
}

/** Returns whether code that should not throw has thrown: nothing that a product, a file or a connection has answered. */
export function isBug(error: unknown): error is Error {
  return error instanceof Error && !(error instanceof WarehouseError) && !('code' in error)
}

function reasonOf(error: Error): string {
  return error instanceof WarehouseError ? error.message : textOf(error)
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

import { type Event, InvariantError, StoreFullError } from '@sluice/core'
import type { Appended, CountDelta, Deduplication, LogPosition, NewLogBatch } from '@sluice/pipeline'
import { withDuplicates } from '@sluice/pipeline/store'
import { type Once, sumCounts } from '@sluice/storage/sql'
import type { Connection, Query } from '../../connect/connect.ts'
import { laneOf } from '../../lanes/lane-of.ts'
import { isOfOneWrite } from '../../of-one-write.ts'
import type { LaneBatch } from '../lane-batch.ts'
import type { AppendCall } from './append-call.ts'
import { DigestLimit } from './digest-limit.ts'
import { type Insert, insertRows, isRepeated } from './insert-rows.ts'
import { findStored, rowsOf, type StoredRow } from './log-row.ts'
import { areDistinct, type OfferedMessages, offeredMessages, rememberMessages } from './offered-messages.ts'

/** Turns of the event loop in which the calls for a statement come. */
const gatherTurnsMax = 4
/** Calls that share a statement, and calls that may wait for theirs. */
const groupMax = 256
const waitingMax = 4_096

interface Call extends AppendCall {
  resolve(appended: Appended): void
  reject(error: unknown): void
}

interface AppendGroupOptions {
  readonly connection: Connection
  /** Numbers its statements, so that none is stored twice when its answer was lost. */
  readonly once: Once
  /** Id of this process in the cluster. */
  readonly nodeId: () => string
  readonly onError: (error: unknown) => void
  /** Called after batches are stored, with all of them, and those whose events are exactly what is stored. */
  readonly onAppend: (
    workspaceIds: ReadonlySet<string>,
    stored: readonly LaneBatch[],
    exact: readonly LaneBatch[],
  ) => void
}

/**
 * Appends batches: calls that arrive while a statement runs share the next one. There is one row per source and lane of the
 * users.
 */
export class AppendGroup {
  readonly #options: AppendGroupOptions
  readonly #digestLimit = new DigestLimit()
  #waiting: Call[] = []
  #running: Promise<void> | undefined
  /** Calls of the last statement. */
  #answered = 0
  /** Whether the last calls that were to be without duplicates had some: those that come next will, too. */
  #hadDuplicates = false

  constructor(options: AppendGroupOptions) {
    this.#options = options
  }

  /**
   * Serialises a batch at once, so that a bad event fails only its own call, and the caller may change its objects.
   * @returns the function that appends it.
   */
  prepare(
    batch: NewLogBatch,
    counts: readonly CountDelta[],
    deduplication: Deduplication | undefined,
  ): () => Promise<Appended> {
    if (batch.events.length === 0) throw new InvariantError('a batch without events cannot be appended to the log')
    const call = {
      batch,
      texts: batch.events.map((event) => JSON.stringify(event)),
      lanes: batch.events.map(laneOf),
      messageIds: deduplication ? batch.events.map(({ messageId }) => String(messageId)) : [],
      counts,
      deduplication,
    }
    return () =>
      new Promise((resolve, reject) => {
        if (this.#waiting.length >= waitingMax) {
          reject(new StoreFullError(`${waitingMax} batches are waiting for the database; try again later`))
          return
        }
        this.#waiting.push({ ...call, resolve, reject })
        this.#running ??= this.#run()
      })
  }

  /** Resolves when no call waits. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gathered()
      const calls = this.#waiting.splice(0, groupMax)
      this.#answered = calls.length
      try {
        await this.#store(calls)
      } catch (error) {
        if (calls.length === 1 || !isOfOneWrite(error)) for (const call of calls) call.reject(error)
        // One faulty call must not fail the others.
        else for (const call of calls) await this.#store([call]).catch((own) => call.reject(own))
      }
    }
    this.#running = undefined
  }

  /**
   * Resolves when the calls that share the next statement have come: those of the same turn, and those of callers that were
   * answered just now, who often call again within a few turns. A statement for all of them costs half of two.
   */
  async #gathered(): Promise<void> {
    const expected = Math.min(this.#answered + this.#waiting.length, groupMax)
    let turns = 0
    do {
      await new Promise((resolve) => setImmediate(resolve))
      turns += 1
    } while (this.#waiting.length < expected && turns < gatherTurnsMax)
  }

  async #store(calls: readonly Call[]): Promise<void> {
    const { duplicates, rows, remembered } = await this.#stored(calls)
    const positions = new Array<LogPosition | undefined>(calls.length).fill(undefined)
    for (const { from, batch } of rows) for (const call of from) positions[call] = batch.position
    for (const [place, call] of calls.entries())
      call.resolve({ position: positions[place], duplicates: duplicates[place] ?? [] })
    this.#options.onAppend(
      new Set(calls.map(({ batch }) => batch.workspaceId)),
      rows.map(({ batch }) => batch),
      rows.flatMap(({ isExact, batch }) => (isExact ? batch : [])),
    )
    // The callers have their answers: what is forgotten concerns only later calls.
    if (remembered)
      await this.#digestLimit
        .keep(this.#options.connection.query, remembered.last, remembered.idsMax)
        .catch(this.#options.onError)
  }

  async #stored(calls: readonly Call[]): Promise<Stored> {
    const messages = offeredMessages(calls)
    if (messages === undefined) return this.#storeAll(calls)
    if (this.#hadDuplicates || !areDistinct(messages)) return this.#storeOthers(calls, messages)
    try {
      return await this.#storeAll(calls, messages)
    } catch (error) {
      if (!isRepeated(error)) throw error
      return await this.#storeOthers(calls, messages)
    }
  }

  /** Stores all events in one statement. @throws an error that `isRepeated` knows when one of the messages is remembered. */
  #storeAll(calls: readonly Call[], fresh?: OfferedMessages): Promise<Stored> {
    const { connection, once } = this.#options
    const rows = rowsOf(calls)
    return once(
      async (mark) => {
        const inserted = await this.#insert(connection.query, { mark, rows, counts: countsOf(calls), fresh })
        return {
          duplicates: [],
          rows: inserted.rows,
          remembered: fresh && { last: inserted.last, idsMax: fresh.idsMax },
        }
      },
      async () => ({ duplicates: [], rows: await findStored(connection.query, rows) }),
    )
  }

  /** Stores the events that are no duplicates. It takes a transaction, because which ones they are is known within it. */
  async #storeOthers(calls: readonly Call[], messages: OfferedMessages): Promise<Stored> {
    const { connection, once } = this.#options
    let made: Stored | undefined
    const stored = await once(
      (mark) =>
        connection.transaction(async (query) => {
          const duplicates = await rememberMessages(query, messages, this.#digestLimit)
          const rows = rowsOf(calls, duplicates)
          const inserted = await this.#insert(query, { mark, rows, counts: countsOf(calls, duplicates) })
          made = { duplicates, rows: inserted.rows }
          return made
        }),
      () => {
        // It had its answers before its commit was sent.
        if (made === undefined) throw new InvariantError('a transaction is stored that was never complete')
        return made
      },
    )
    this.#hadDuplicates = stored.duplicates.some((places) => places.length > 0)
    return stored
  }

  #insert(query: Query, insert: Omit<Insert, 'nodeId'>): ReturnType<typeof insertRows> {
    return insertRows(query, { ...insert, nodeId: this.#options.nodeId() })
  }
}

interface Stored {
  /** Of each call, the places of events that were accepted before. */
  readonly duplicates: readonly (readonly number[])[]
  readonly rows: readonly StoredRow[]
  /** The newest number of the messages that were remembered, and how many may be; absent where that was seen to. */
  readonly remembered?: { readonly last: number; readonly idsMax: number } | undefined
}

function countsOf(
  calls: readonly AppendCall[],
  duplicates: readonly (readonly number[])[] = [],
): readonly CountDelta[] {
  return sumCounts(
    calls.flatMap(({ counts, texts }, place) => {
      const left = new Set(duplicates[place])
      const events =
        left.size === 0 ? [] : texts.flatMap((text, at): Event[] => (left.has(at) ? [JSON.parse(text)] : []))
      return withDuplicates(counts, events)
    }),
  )
}

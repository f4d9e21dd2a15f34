import { type Random, uuidV4 } from '@sluice/core'
import { UnknownOutcomeError } from '@sluice/pipeline/store'
import type { Once, WriteMark } from '@sluice/storage/sql'
import type { Query } from './connect.ts'
import { DatabaseReplacedError } from './database-replaced-error.ts'
import { isAnswerLost } from './lost-answers.ts'

/** Milliseconds for which the database is asked whether a write is stored. A question under way may take its time-out longer. */
const askMs = 5_000
/** Milliseconds between two questions. */
const pauseMs = 100
/** Times that a write is made: one that makes the server end its connections would never end. */
const triesMax = 3

/**
 * Makes writes one after the other, each under a number that its transaction notes in `applied_write`. When the answer to one
 * is lost, the database is asked whether it has the number; the question waits for a transaction that has not ended, and
 * takes the number from one that has not come yet. So it is known what happened, and a write that is not stored is made
 * again.
 *
 * There is one row for each writer, which its writes replace: a transaction costs one row more, and nothing is left behind.
 */
export function createNumberedWrites({ query, random }: { readonly query: Query; readonly random: Random }): Once {
  const writer = uuidV4(random)
  let last = 0
  return async (write, recall) => {
    for (let tries = 1; ; tries += 1) {
      last += 1
      const mark: WriteMark = { writer, number: last }
      try {
        return await write(mark)
      } catch (error) {
        if (!isAnswerLost(error)) throw error
        if (await isApplied(query, mark, error)) return recall()
        if (tries >= triesMax) throw error
      }
    }
  }
}

/** @throws UnknownOutcomeError when the database does not answer. */
async function isApplied(query: Query, { writer, number }: WriteMark, cause: unknown): Promise<boolean> {
  for (const until = performance.now() + askMs; ; ) {
    try {
      const [row] = await query<{ is_applied: number }>(askOrTake, [writer, number])
      return row?.is_applied === 1
    } catch (error) {
      // Another database may lack the write, and does not say so before this process has joined again.
      if (error instanceof DatabaseReplacedError || performance.now() >= until) throw new UnknownOutcomeError(cause)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** Asked again, it has the same answer. */
const askOrTake = `
  insert into applied_write (writer, number, is_applied, at) values ($1, $2, 0, ${now})
  on conflict (writer) do update set
    is_applied = case when applied_write.number = excluded.number then applied_write.is_applied else 0 end,
    number = excluded.number, at = excluded.at
  returning is_applied`

/**
 * Returns the part of a statement that notes a write, as `noted`: no row when the number was taken before.
 * @param writer and number placeholders of the mark.
 * @param where which rows there have to be.
 */
export function noted(writer: string, number: string, where: string): string {
  return `noted as (
    insert into applied_write as known (writer, number, is_applied, at)
    select ${writer}::text, ${number}::bigint, 1, ${now} where ${where}
    on conflict (writer) do update set number = excluded.number, is_applied = 1, at = excluded.at
      where known.number < excluded.number
    returning 1
  )`
}

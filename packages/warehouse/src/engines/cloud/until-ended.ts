import { setTimeout as sleep } from 'node:timers/promises'
import { WarehouseError } from '../../load/warehouse-error.ts'

/** Longest time of one statement. */
const statementMs = 600_000
const firstLookMs = 100
const lookMsMax = 5_000

interface Running<Result> {
  /** Returns undefined while the statement is still running. */
  look(): Promise<Result | undefined>
  /** Asks the product to end the statement. */
  cancel(): Promise<unknown>
  readonly signal: AbortSignal
  /** Names the product in errors. */
  readonly place: string
}

/** Waits for a statement that runs on after its first answer; cancels it when it is aborted, or takes too long. */
export async function untilEnded<Result>({ look, cancel, signal, place }: Running<Result>): Promise<Result> {
  const until = performance.now() + statementMs
  let waitMs = firstLookMs
  try {
    while (performance.now() < until) {
      const result = await look()
      if (result !== undefined) return result
      await sleep(waitMs, undefined, { signal })
      waitMs = Math.min(lookMsMax, waitMs * 2)
    }
  } catch (error) {
    if (signal.aborted) await cancel().catch(() => {})
    throw error
  }
  await cancel().catch(() => {})
  throw new WarehouseError(
    `${place}: a statement took longer than ${statementMs / 60_000} minutes. Load fewer events at once: lower syncEvents.`,
    'TIMEOUT',
  )
}

import { drop, type Event, fail, InvariantError, type Outcome, type StageError } from '@sluice/core'
import { toBatchOutcomes } from './batch-outcomes.ts'
import type { EntryPoint, Guest } from './guest.ts'
import type { GuestAnswer } from './guest-answer.ts'
import { type GuestInput, nothingReturned, type ProgramRun } from './program.ts'
import type { SandboxLimits } from './sandbox-limits.ts'

/** The event loop gets its turn once user code has run for so long. */
const sliceMs = 10

/** A guest that has loaded the program. */
export interface LoadedGuest {
  readonly guest: Guest
  readonly entry: EntryPoint
}

/** Gives out guests for one batch and takes damaged ones back. */
export interface GuestSupply {
  /** A freshly loaded guest, made within `timeMs`. */
  open(timeMs: number): Promise<LoadedGuest | StageError>
  /** Frees a guest, and the engine with it when that is damaged. */
  close(guest: Guest): void
}

/** Runs one batch: see Program.run. Time is counted only while user code runs, so a busy host takes none of it. */
export async function runProgram(
  inputs: readonly GuestInput[],
  signal: AbortSignal,
  limits: SandboxLimits,
  supply: GuestSupply,
): Promise<ProgramRun> {
  const outcomes: Outcome<Event>[] = []
  const log: string[] = []
  let loaded: LoadedGuest | undefined
  let spentMs = 0
  let sinceYieldMs = 0

  const measured = async <T>(action: () => T | Promise<T>): Promise<T> => {
    const start = performance.now()
    const result = await action()
    const tookMs = performance.now() - start
    spentMs += tookMs
    sinceYieldMs += tookMs
    return result
  }
  const budgetMs = (): number => limits.batchTimeMs - spentMs
  const take = (answer: GuestAnswer): GuestAnswer['result'] => {
    for (const line of answer.log) log.push(line)
    return answer.result
  }
  const failRest = (error: StageError): void => {
    while (outcomes.length < inputs.length) outcomes.push(fail(error))
  }

  try {
    while (outcomes.length < inputs.length) {
      signal.throwIfAborted()
      if (sinceYieldMs > sliceMs) {
        await new Promise((resolve) => setImmediate(resolve))
        sinceYieldMs = 0
        continue
      }
      if (budgetMs() <= 0) {
        failRest(batchTimeout(limits))
        break
      }
      if (loaded === undefined) {
        const opened = await measured(() => supply.open(limits.eventTimeMs))
        if ('code' in opened) {
          failRest(opened)
          break
        }
        loaded = opened
        continue
      }
      const { guest, entry } = loaded
      if (entry === 'transformBatch') {
        const timeMs = Math.min(budgetMs(), limits.eventTimeMs * inputs.length)
        const events = inputs.map(({ event }) => event)
        const result = take(await measured(() => guest.runBatch(JSON.stringify(events), inputs.length, timeMs)))
        if ('error' in result) failRest(result.error)
        else outcomes.push(...toBatchOutcomes(events, result.outputs))
      } else {
        const index = outcomes.length
        const text = JSON.stringify(inputs[index]?.event)
        const timeMs = Math.min(budgetMs(), limits.eventTimeMs)
        outcomes.push(toOutcome(take(await measured(() => guest.runEvent(text, index, timeMs)))))
      }
      if (guest.damage !== 'none') {
        supply.close(guest)
        loaded = undefined
      }
    }
  } finally {
    if (loaded) supply.close(loaded.guest)
  }
  if (outcomes.length !== inputs.length) throw new InvariantError('a batch must have one outcome per input')
  return { outcomes, log }
}

function toOutcome(result: GuestAnswer['result']): Outcome<Event> {
  if ('error' in result) return fail(result.error)
  const items = result.outputs.filter((output) => output !== null)
  return items.length === 0 ? drop(nothingReturned) : { kind: 'pass', items }
}

function batchTimeout({ batchTimeMs }: SandboxLimits): StageError {
  const message = `Error: Script execution timed out. The batch ran longer than ${batchTimeMs} ms before this event's turn.`
  return { code: 'transform.timeout', message }
}

import { drop, type Event, fail, isSameJson, type Outcome } from '@sluice/core'
import { nothingReturned } from '../program.ts'

/** What transformBatch returned, assigned to the inputs. */
export interface BatchOutcomes {
  /** One per input, in input order. */
  readonly outcomes: readonly Outcome<Event>[]
  /** See `ProgramRun`. */
  readonly origins: ReadonlyMap<Event, readonly number[]>
}

const notAnObject = 'returned event in events array from transformBatch(events) is not an object'

/**
 * Assigns what transformBatch returned to the inputs. An output belongs to the input with its messageId (of several
 * such inputs, to the first without an output yet), otherwise to the first input of the batch. Inputs without outputs
 * are dropped. A returned non-object fails the input at its index if that input has no output, otherwise the first
 * input without an output, otherwise the first input, whose outputs are then lost. Takes time proportional to inputs
 * plus outputs, however many share a messageId.
 *
 * An output whose messageId no input has, or several have, may have been made of any of those inputs: `origins` has them.
 * So may an output that differs from its input, of inputs whose messageId no output has: code that combines events keeps
 * the id of one of them. What only filters returns inputs as they are, and they stay their own.
 */
export function toBatchOutcomes(inputs: readonly Event[], outputs: readonly (Event | null)[]): BatchOutcomes {
  const shares: Event[][] = inputs.map(() => [])
  const candidatesById = new Map<unknown, Candidates>()
  inputs.forEach(({ messageId }, index) => {
    const known = candidatesById.get(messageId)
    if (known) known.indexes.push(index)
    else candidatesById.set(messageId, { indexes: [index], next: 0 })
  })
  const origins = new Map<Event, readonly number[]>()
  const all = [...inputs.keys()]
  for (const output of outputs) {
    if (output === null) continue
    const candidates = candidatesById.get(output.messageId)
    shares[indexFor(candidates, shares)]?.push(output)
    const indexes = candidates?.indexes ?? all
    if (indexes.length > 1) origins.set(output, indexes)
  }

  addCombined(inputs, outputs, candidatesById, origins)

  const failed = new Set<number>()
  const isFree = (index: number): boolean => shares[index]?.length === 0 && !failed.has(index)
  let firstFree = 0
  outputs.forEach((output, place) => {
    if (output !== null) return
    while (firstFree < inputs.length && !isFree(firstFree)) firstFree += 1
    failed.add(isFree(place) ? place : firstFree < inputs.length ? firstFree : 0)
  })
  const outcomes = shares.map((items, index): Outcome<Event> => {
    if (failed.has(index)) return fail({ code: 'transform.output', message: notAnObject })
    return items.length === 0 ? drop(nothingReturned) : { kind: 'pass', items }
  })
  return { outcomes, origins }
}

/** Adds inputs without an output to the origins of changed outputs. */
function addCombined(
  inputs: readonly Event[],
  outputs: readonly (Event | null)[],
  candidatesById: ReadonlyMap<unknown, Candidates>,
  origins: Map<Event, readonly number[]>,
): void {
  const returned = new Set(outputs.map((output) => output?.messageId))
  const missing = [...inputs.keys()].filter((index) => !returned.has(inputs[index]?.messageId))
  if (missing.length === 0) return
  // Outputs with the same id share their list.
  const lists = new Map<readonly number[], readonly number[]>()
  for (const output of outputs) {
    const indexes = output && candidatesById.get(output.messageId)?.indexes
    const [first] = indexes ?? []
    if (!indexes || first === undefined) continue
    if (indexes.length === 1 && isSameJson(inputs[first], output)) continue
    const list = lists.get(indexes) ?? [...indexes, ...missing]
    lists.set(indexes, list)
    origins.set(output, list)
  }
}

/** Indexes of the inputs with one messageId, in order. Those before `next` have an output. */
interface Candidates {
  readonly indexes: number[]
  next: number
}

function indexFor(candidates: Candidates | undefined, shares: readonly (readonly Event[])[]): number {
  if (candidates === undefined) return 0
  const { indexes } = candidates
  // Outputs without an input of their own are assigned to the first input, so it may have one already.
  while (candidates.next < indexes.length && shares[indexes[candidates.next] ?? 0]?.length !== 0) candidates.next += 1
  return indexes[candidates.next] ?? indexes[0] ?? 0
}

import { drop, type Event, fail, type Outcome } from '@sluice/core'
import { nothingReturned } from './program.ts'

const notAnObject = 'returned event in events array from transformBatch(events) is not an object'

/**
 * Shares out what transformBatch returned among its inputs. An output belongs to the input with its messageId (of
 * several such inputs, to the first without an output yet), otherwise to the first input of the batch. Inputs
 * without outputs are dropped. Something that is not an object fails the input at its own place in the array when that
 * one has no output, else the first without one, else the first: the input fails then, and its outputs are lost.
 * Source: transformation facts 1.3, with one outcome per input in place of one record per output.
 */
export function toBatchOutcomes(
  inputs: readonly Event[],
  outputs: readonly (Event | null)[],
): readonly Outcome<Event>[] {
  const shares: Event[][] = inputs.map(() => [])
  const hasNone = (index: number): boolean => shares[index]?.length === 0
  const indexesById = new Map<unknown, number[]>()
  inputs.forEach(({ messageId }, index) => {
    const indexes = indexesById.get(messageId)
    if (indexes) indexes.push(index)
    else indexesById.set(messageId, [index])
  })
  for (const output of outputs) {
    if (output === null) continue
    const indexes = indexesById.get(output.messageId) ?? [0]
    shares[indexes.find(hasNone) ?? indexes[0] ?? 0]?.push(output)
  }

  const failed = new Set<number>()
  outputs.forEach((output, place) => {
    if (output !== null) return
    const free = (index: number): boolean => hasNone(index) && !failed.has(index)
    failed.add(
      free(place)
        ? place
        : Math.max(
            0,
            inputs.findIndex((_, index) => free(index)),
          ),
    )
  })
  return shares.map((items, index) => {
    if (failed.has(index)) return fail({ code: 'transform.output', message: notAnObject })
    return items.length === 0 ? drop(nothingReturned) : { kind: 'pass', items }
  })
}

import type { Event, SourcedEvent } from '@sluice/core'
import type { DeliveryRequest, MappedEvent } from '@sluice/destinations'
import type { DestinationResult, RunWatch, Tracked } from '@sluice/pipeline'
import type { EventEnding } from './offline-run.ts'

/** Records the outputs of user code and the requests of the destination for each event. */
export class OutputWatch implements RunWatch {
  /** Outputs by event. */
  readonly outputs: readonly Event[][]
  /** Requests by event. */
  readonly requests: readonly DeliveryRequest[][]
  /** Event index of each output. */
  #origins: readonly number[] = []

  constructor(events: number) {
    this.outputs = Array.from({ length: events }, () => [])
    this.requests = Array.from({ length: events }, () => [])
  }

  onOutputs(outputs: readonly Tracked<SourcedEvent>[]): void {
    this.#origins = outputs.map(({ origin }) => origin)
    for (const { origin, item } of outputs) this.outputs[origin]?.push(item.event)
  }

  onMapped(output: number, { requests }: MappedEvent): void {
    for (const request of requests) this.requests[this.#origins[output] ?? -1]?.push(request)
  }
}

/**
 * Returns the result of an event. A disabled stage drops its input, which does not count as the outcome of the event.
 */
export function endingOf(
  { ending }: DestinationResult,
  seen: OutputWatch,
  index: number,
  isMapped: boolean,
): EventEnding {
  const output = seen.outputs[index] ?? []
  const requests = seen.requests[index] ?? []
  const own = isMapped ? { requests } : {}
  if (ending?.kind === 'fail') return { outcome: 'failed', output, ...own, error: ending.error }
  const isEmpty = (isMapped ? requests : output).length === 0
  if (ending?.kind === 'drop' && isEmpty) return { outcome: 'dropped', output, ...own, reason: ending.reason }
  return { outcome: 'passed', output, ...own }
}

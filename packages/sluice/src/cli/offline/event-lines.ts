import type { OfflineOutcome } from '@sluice/testing'
import { type NdjsonLine, readNdjson } from '../read-ndjson.ts'

export function isTrouble({ outcome }: OfflineOutcome): boolean {
  return outcome === 'failed' || outcome === 'rejected'
}

/** Outcome of an event with the line it was on, when it failed or was rejected. */
export interface PlacedOutcome extends OfflineOutcome {
  readonly line?: number
}

/** Remembers the lines of the events that are being run, to name them in the results. */
export class EventLines {
  readonly #lines = new Map<number, NdjsonLine>()

  /** Yields the events of a file, malformed ones included. @param toEvent returns the event of a line, if not its value. */
  async *of(path: string, toEvent = ({ value }: NdjsonLine): unknown => value): AsyncGenerator<unknown> {
    let index = 0
    for await (const line of readNdjson(path)) {
      this.#lines.set(index, line)
      index += 1
      yield toEvent(line)
    }
  }

  /** Returns the number of the line of an outcome that is not placed yet. */
  lineOf({ index }: OfflineOutcome): number | undefined {
    return this.#lines.get(index)?.number
  }

  /** Adds the line to an outcome. Call it once per event. */
  placed(outcome: OfflineOutcome): PlacedOutcome {
    const line = this.#lines.get(outcome.index)
    this.#lines.delete(outcome.index)
    if (line === undefined || !isTrouble(outcome)) return outcome
    const reason = line.problem === undefined ? {} : { reason: `not JSON: ${line.problem}` }
    return { ...outcome, line: line.number, ...reason }
  }
}

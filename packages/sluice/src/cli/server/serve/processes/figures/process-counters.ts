import type { Sample } from '../../../../../telemetry/metric-table.ts'
import { isGrowing, joinedBy, joinSamples, keyOf } from '../../../../../telemetry/samples/join-samples.ts'

/** Series of processes that have ended, which are kept. A process has at most half of them. */
const seriesMax = 20_000

/**
 * The figures of all processes of the server. Counters never decrease: what a process had counted, as it was last heard,
 * counts on when it has ended, or does not answer.
 */
export class ProcessCounters {
  readonly #ended = new Map<string, Sample>()
  readonly #heard = new Map<number, readonly Sample[]>()

  /** Joins the answers of one question. Processes that are not in it count with what they had counted when they last answered. */
  joined(answers: ReadonlyMap<number, readonly Sample[]>): readonly Sample[] {
    for (const [number, samples] of answers) this.#heard.set(number, samples.filter(isKept))
    const silent = [...this.#heard].flatMap(([number, samples]) => (answers.has(number) ? [] : [samples]))
    return joinSamples([...answers.values(), ...silent, [...this.#ended.values()]])
  }

  /** The process has ended: the next one with its number begins at zero. */
  ended(number: number): void {
    for (const sample of this.#heard.get(number) ?? []) {
      const key = keyOf(sample)
      const value = (this.#ended.get(key)?.value ?? 0) + sample.value
      if (this.#ended.has(key) || this.#ended.size < seriesMax) this.#ended.set(key, { ...sample, value })
    }
    this.#heard.delete(number)
  }
}

function isKept(sample: Sample): boolean {
  return isGrowing(sample) && joinedBy(sample) === 'sum'
}

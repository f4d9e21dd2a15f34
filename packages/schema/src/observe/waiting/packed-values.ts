import type { VersionValues } from '../../catalogue/schema-delta.ts'
import type { Mentions } from '../../values/mentions.ts'
import { forgetMentionsInValues, parseValues, textOfCounters, uniteCounters } from '../../values/merged-values.ts'
import type { ValueCounter, ValueMemory } from '../../values/value-counter.ts'

/** Counters of a version that are not counted into any more, as texts: these take about a tenth of their memory. */
export class PackedValues implements VersionValues {
  readonly schemaHash: string
  readonly #memory: ValueMemory
  readonly #texts: string[] = []

  constructor(schemaHash: string, memory: ValueMemory) {
    this.schemaHash = schemaHash
    this.#memory = memory
  }

  /** Adds the text of counters, and releases them. */
  add(counters: ReadonlyMap<string, ValueCounter>): void {
    const text = textOfCounters(counters)
    for (const counter of counters.values()) counter.release()
    this.#texts.push(text)
    this.#memory.bytes += text.length
  }

  get texts(): readonly string[] {
    return this.#texts
  }

  /** A copy. */
  get counters(): ReadonlyMap<string, ValueCounter> {
    return uniteCounters(this.#texts.map(parseValues))
  }

  /** Adds the texts of another one of the same version, which is not used any more. */
  take({ texts }: Pick<PackedValues, 'texts'>): void {
    for (const text of texts) this.#texts.push(text)
  }

  forget(mentions: Mentions): void {
    for (const [place, text] of this.#texts.entries()) {
      const rest = forgetMentionsInValues(text, mentions)
      if (rest === undefined) continue
      this.#texts[place] = rest
      this.#memory.bytes += rest.length - text.length
    }
  }

  /** Must be called once, when it is no longer used. */
  release(): void {
    for (const { length } of this.#texts.splice(0)) this.#memory.bytes -= length
  }
}

import type { SchemaLimits } from '../schema-limits.ts'
import type { CountedValue } from '../shapes/counted-value.ts'
import type { EventShape } from '../shapes/event-shape.ts'
import type { ValueCounter, ValueMemory } from '../values/value-counter.ts'
import type { BoundCounts } from './bound-counts.ts'
import type { ModelState } from './model-state.ts'
import type { CounterList, ObservedVersion } from './observed-version.ts'
import { hiddenValue } from './personal-data.ts'
import type { SourceState } from './source-state.ts'

/** The values of an event in document order. Only the first `valueCount` are its own. */
interface FoundValues {
  readonly values: readonly CountedValue[]
  readonly valueCount: number
}

/** Counts the values of events within the limits of length, memory and keys, and hides personal data. */
export class ValueCounting {
  readonly #limits: SchemaLimits
  readonly #memory: ValueMemory
  readonly #bounds: BoundCounts

  constructor(limits: SchemaLimits, memory: ValueMemory, bounds: BoundCounts) {
    this.#limits = limits
    this.#memory = memory
    this.#bounds = bounds
  }

  /** Creates the list of counters by which the values of an event are counted without looking at their paths. */
  listOf(
    version: ObservedVersion,
    { paths, slots }: EventShape,
    model: ModelState,
    { mask }: SourceState,
  ): CounterList {
    const { keysPerModelMax } = this.#limits
    const hidden: ValueCounter[] = []
    const noRoom = new Set<number>()
    const byPath = paths.map((path, index) => {
      if (!model.countedPaths.has(path)) {
        if (model.countedPaths.size >= keysPerModelMax) {
          this.#bounds.add(model.key.writeKey, 'keysPerModel', 1)
          return undefined
        }
        model.countedPaths.add(path)
      }
      let counter = version.counters.get(path)
      if (counter === undefined) {
        if (this.#isMemoryFull()) {
          noRoom.add(index)
          return undefined
        }
        counter = version.addCounter(path, this.#memory)
      }
      if (!mask.hides(path)) return counter
      hidden.push(counter)
      return undefined
    })
    const missed = noRoom.size === 0 ? 0 : slots.filter((slot) => noRoom.has(slot)).length
    return { counters: slots.map((slot) => byPath[slot]), hidden, missed }
  }

  /** Counts the values of one event. @param found the tree that has just walked through the event. */
  count(
    { counters, hidden, missed }: CounterList,
    { values, valueCount }: FoundValues,
    version: ObservedVersion,
    source: SourceState,
  ): void {
    if (missed > 0) this.#bounds.add(version.key.writeKey, 'valuesMissed', missed)
    for (let i = 0; i < valueCount; i += 1) {
      const counter = counters[i]
      const value = values[i]
      if (counter === undefined || value === undefined || counter.addKnown(value)) continue
      this.#countNew(counter, value, version, source)
    }
    for (const counter of hidden) if (!counter.addKnown(hiddenValue)) counter.addNew(hiddenValue)
  }

  #countNew(counter: ValueCounter, value: CountedValue, { key }: ObservedVersion, { mask }: SourceState): void {
    const { valueLengthMax } = this.#limits
    let kept = value
    if (typeof value === 'string' && value.length > valueLengthMax) {
      this.#bounds.add(key.writeKey, 'valuesCut', 1)
      kept = mask.cut(value, valueLengthMax)
    }
    kept = mask.value(kept)
    if (kept !== value && counter.addKnown(kept)) return
    if (!this.#isMemoryFull()) counter.addNew(kept)
    else {
      this.#bounds.add(key.writeKey, 'valuesMissed', 1)
      counter.miss()
    }
  }

  #isMemoryFull(): boolean {
    return this.#memory.bytes >= this.#limits.valueMemoryBytesMax || this.#memory.isFull === true
  }
}

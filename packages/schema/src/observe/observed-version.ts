import { type DayCount, dayMs, dayOf, sumDays } from '../catalogue/day-counts.ts'
import type { VersionDelta, VersionKey, VersionValues } from '../catalogue/schema-delta.ts'
import type { EventShape } from '../shapes/event-shape.ts'
import type { FlatSchema } from '../shapes/flat-schema.ts'
import { mergeStructures, type Structure } from '../shapes/structure.ts'
import type { Mentions } from '../values/mentions.ts'
import { forgetSamples, type Sample } from '../values/sample.ts'
import { ValueCounter, type ValueMemory } from '../values/value-counter.ts'

/** The counters for the values of events with one shape. */
export interface CounterList {
  /** For each value of the event in document order. */
  readonly counters: readonly (ValueCounter | undefined)[]
  /** Counters of paths whose values are never shown. */
  readonly hidden: readonly ValueCounter[]
  /** Number of values without a counter because memory was full. */
  readonly missed: number
}

/** A version in the memory of the observer: what was learnt and not yet taken. */
export class ObservedVersion {
  readonly key: VersionKey
  readonly schema: FlatSchema
  /** When it was last used, as a number that grows with every event. */
  usedAt = 0
  /** True when it was evicted; holders of a reference must look it up again. */
  evicted = false
  /** True while the state is on the list for the next `take`. */
  touched = false
  readonly #samplesMax: number
  /** The lowest ranks so far, in order. */
  readonly #ranks: number[] = []
  #counters = new Map<string, ValueCounter>()
  /** By shape, for as long as the counters are held. */
  readonly #lists = new Map<EventShape, CounterList>()
  #samples: Sample[] = []
  #structure: Structure | undefined
  #count = 0
  #firstSeen = 0
  #lastSeen = 0
  /** Day of the last event, and the events of it since it became the day. */
  #day = 0
  #ofDay = 0
  /** Events of the days before. */
  #days: readonly DayCount[] = []

  constructor(key: VersionKey, schema: FlatSchema, samplesMax: number) {
    this.key = key
    this.schema = schema
    this.#samplesMax = samplesMax
  }

  see(at: number): void {
    if (this.#count === 0) {
      this.#firstSeen = at
      this.#lastSeen = at
    } else {
      this.#firstSeen = Math.min(this.#firstSeen, at)
      this.#lastSeen = Math.max(this.#lastSeen, at)
    }
    this.#count += 1
    if (at < this.#day * dayMs || at >= (this.#day + 1) * dayMs) this.#turnDay(at)
    this.#ofDay += 1
  }

  #turnDay(at: number): void {
    if (this.#ofDay > 0) this.#days = sumDays([...this.#days, { day: this.#day, count: this.#ofDay }])
    this.#day = dayOf(at)
    this.#ofDay = 0
  }

  /** Returns whether an event of this rank belongs to the sample, as far as known here. */
  wants(rank: number): boolean {
    return this.#ranks.length < this.#samplesMax || rank < (this.#ranks.at(-1) ?? 0)
  }

  /**
   * @param sample undefined when the event cannot be stored; its rank still counts, so that such events cost no more
   * than others.
   */
  sample(rank: number, sample: Sample | undefined): void {
    if (sample !== undefined) this.#samples.push(sample)
    this.#ranks.push(rank)
    this.#ranks.sort((a, b) => a - b)
    if (this.#ranks.length <= this.#samplesMax) return
    // It is not among the lowest any more, and would be deleted as soon as it is stored.
    const left = this.#ranks.pop()
    const place = this.#samples.findIndex((each) => each.rank === left)
    if (place >= 0) this.#samples.splice(place, 1)
  }

  learn(structure: Structure, propertiesMax: number): void {
    this.#structure =
      this.#structure === undefined ? structure : mergeStructures(this.#structure, structure, propertiesMax)
  }

  addCounter(path: string, memory: ValueMemory): ValueCounter {
    const counter = new ValueCounter(memory)
    this.#counters.set(path, counter)
    return counter
  }

  list(shape: EventShape): CounterList | undefined {
    return this.#lists.get(shape)
  }

  keepList(shape: EventShape, list: CounterList): void {
    this.#lists.set(shape, list)
  }

  forgetLists(): void {
    this.#lists.clear()
  }

  get counters(): ReadonlyMap<string, ValueCounter> {
    return this.#counters
  }

  /** Returns what was seen since the last call, and its list of samples; undefined when nothing was seen. */
  take(): { readonly delta: VersionDelta; readonly samples: Sample[] } | undefined {
    if (this.#count === 0) return undefined
    const samples = this.#samples
    const delta: VersionDelta = {
      ...this.key,
      schema: this.schema,
      count: this.#count,
      firstSeen: this.#firstSeen,
      lastSeen: this.#lastSeen,
      ...(this.#days.length > 0 ? { days: sumDays([...this.#days, { day: this.#day, count: this.#ofDay }]) } : {}),
      samples: samples.length > 0 ? samples : undefined,
      structure: this.#structure,
    }
    this.#days = []
    this.#ofDay = 0
    this.#count = 0
    this.#samples = []
    this.#structure = undefined
    return { delta, samples }
  }

  takeValues(): VersionValues | undefined {
    this.forgetLists()
    if (this.#counters.size === 0) return undefined
    const values = { schemaHash: this.key.schemaHash, counters: this.#counters }
    this.#counters = new Map()
    return values
  }

  /** Removes samples of users and untaken values that mention them. */
  forget(mentions: Mentions): void {
    forgetSamples(this.#samples, mentions)
    for (const [path, counter] of this.#counters) counter.forgetMentions(mentions, path)
  }
}

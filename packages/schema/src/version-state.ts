import type { Sample } from './sample.ts'
import type { FlatSchema, VersionDelta, VersionKey, VersionValues } from './schema-delta.ts'
import { mergeStructures, type Structure } from './structure.ts'
import { userDigest } from './user-digest.ts'
import { ValueCounter, type ValueMemory } from './value-counter.ts'

/** One version as the observer holds it: what was learnt of it and not given away yet. */
export class VersionState {
  readonly key: VersionKey
  readonly schema: FlatSchema
  /** The moment it was seen last, as a number that grows with every event. */
  usedAt = 0
  /** True when it made room: whoever still holds it has to ask for it again. */
  evicted = false
  /** Grows when the counters are given away: lists of them are to be made again. */
  epoch = 0
  /** True while the state is on the list of those to be given away. */
  touched = false
  readonly #samplesMax: number
  /** The lowest ranks there ever were, in order. */
  readonly #ranks: number[] = []
  #counters = new Map<string, ValueCounter>()
  #samples: Sample[] = []
  #structure: Structure | undefined
  #count = 0
  #firstSeen = 0
  #lastSeen = 0

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
  }

  /** Whether an event of this rank belongs to the sample, as far as is known here. */
  wants(rank: number): boolean {
    return this.#ranks.length < this.#samplesMax || rank < (this.#ranks.at(-1) ?? 0)
  }

  /** @param sample undefined when the event cannot be kept; its rank counts all the same, so that it costs no more than others. */
  sample(rank: number, sample: Sample | undefined): void {
    if (sample !== undefined) this.#samples.push(sample)
    this.#ranks.push(rank)
    this.#ranks.sort((a, b) => a - b)
    if (this.#ranks.length > this.#samplesMax) this.#ranks.pop()
  }

  learn(structure: Structure, propertiesMax: number): void {
    this.#structure =
      this.#structure === undefined ? structure : mergeStructures(this.#structure, structure, propertiesMax)
  }

  counter(path: string, memory: ValueMemory): ValueCounter {
    const known = this.#counters.get(path)
    if (known !== undefined) return known
    const counter = new ValueCounter(memory)
    this.#counters.set(path, counter)
    return counter
  }

  get counters(): ReadonlyMap<string, ValueCounter> {
    return this.#counters
  }

  /** What was seen since the last call; undefined when nothing was. */
  take(): VersionDelta | undefined {
    if (this.#count === 0) return undefined
    const delta: VersionDelta = {
      ...this.key,
      schema: this.schema,
      count: this.#count,
      firstSeen: this.#firstSeen,
      lastSeen: this.#lastSeen,
      ...(this.#samples.length > 0 ? { samples: this.#samples } : {}),
      ...(this.#structure === undefined ? {} : { structure: this.#structure }),
    }
    this.#count = 0
    this.#samples = []
    this.#structure = undefined
    return delta
  }

  takeValues(): VersionValues | undefined {
    if (this.#counters.size === 0) return undefined
    const values = { schemaHash: this.key.schemaHash, counters: this.#counters }
    this.#counters = new Map()
    this.epoch += 1
    return values
  }

  /** Forgets what was sampled of a user and what is still to be given away. */
  forget(userId: string): void {
    const user = userDigest(userId)
    this.#samples = this.#samples.filter((sample) => sample.user !== user)
    for (const counter of this.#counters.values()) counter.forgetUser(userId)
  }
}

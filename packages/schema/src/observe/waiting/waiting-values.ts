import type { ModelValues, VersionValues } from '../../catalogue/schema-delta.ts'
import { type ModelKey, modelKeyText } from '../../shapes/model-key.ts'
import type { Mentions } from '../../values/mentions.ts'
import type { ValueMemory } from '../../values/value-counter.ts'
import { PackedValues } from './packed-values.ts'

/** Versions whose counters wait to be stored. */
const waitingMax = 2_000
/**
 * Texts that wait, of all versions: values are set aside a few times before they are stored. A version that is evicted again and
 * again adds one each time, and all of them are parsed at once where they are stored.
 */
const textsMax = 3 * waitingMax
/** Versions whose counters are stored at once: other writes to the store wait meanwhile, 0.1 ms per version in SQLite. */
const versionsPerWriteMax = 200

/** A model with what waits of its versions, by hash. */
interface WaitingModel {
  readonly key: ModelKey
  readonly versions: Map<string, PackedValues>
}

/** Value counters by model that will be stored and are not counted into any more. */
export class WaitingValues {
  readonly #memory: ValueMemory
  readonly #models = new Map<string, WaitingModel>()
  /** Handed over but perhaps not stored yet. Until they are stored, users are also removed here. */
  readonly #writing = new Set<PackedValues>()
  #count = 0
  #texts = 0
  #storing: Promise<unknown> = Promise.resolve()

  constructor(memory: ValueMemory) {
    this.#memory = memory
  }

  /** Whether some wait. */
  get areSome(): boolean {
    return this.#count > 0
  }

  /**
   * Adds counters, which are then not to be used any more.
   * @returns false when there are too many, for example from ever new shapes; the counters were then not added.
   */
  add(key: ModelKey, { schemaHash, counters }: VersionValues): boolean {
    const waiting = this.#texts < textsMax ? this.#version(key, schemaHash) : undefined
    if (waiting === undefined) return false
    waiting.add(counters)
    this.#texts += 1
    return true
  }

  /**
   * Writes the counters of one model after the other, oldest first and in parts, and releases them. Counters added meanwhile wait
   * for the next call, and so do those that could not be written. A call waits for the one before: when it resolves, nothing
   * that waited is still on its way to the store, where what is deleted next would come back.
   * @param onLost receives each version whose counters could not be written, and for which there is no room any more.
   */
  async store(
    write: (values: ModelValues) => Promise<void>,
    onLost: (key: ModelKey, values: VersionValues) => void,
  ): Promise<void> {
    const storing = this.#storing.then(() => this.#storeAll(write, onLost))
    this.#storing = storing.catch(() => {})
    await storing
  }

  async #storeAll(
    write: (values: ModelValues) => Promise<void>,
    onLost: (key: ModelKey, values: VersionValues) => void,
  ): Promise<void> {
    for (const { key, versions } of [...this.#models.values()]) {
      const all = [...versions.values()]
      for (let start = 0; start < all.length; start += versionsPerWriteMax) {
        // They may have been discarded meanwhile.
        const some = all.slice(start, start + versionsPerWriteMax).filter((each) => this.#remove(key, each))
        if (some.length > 0) await this.#write({ ...key, versions: some }, some, write, onLost)
      }
    }
  }

  async #write(
    values: ModelValues,
    versions: readonly PackedValues[],
    write: (values: ModelValues) => Promise<void>,
    onLost: (key: ModelKey, values: VersionValues) => void,
  ): Promise<void> {
    for (const each of versions) this.#writing.add(each)
    try {
      await write(values)
    } catch (error) {
      for (const each of versions) {
        const waiting = this.#texts < textsMax ? this.#version(values, each.schemaHash) : undefined
        if (waiting) {
          waiting.take(each)
          this.#texts += each.texts.length
        } else {
          onLost(values, each)
          each.release()
        }
      }
      throw error
    } finally {
      for (const each of versions) this.#writing.delete(each)
    }
    for (const each of versions) each.release()
  }

  /** Returns the counters of one model, without those being written. */
  of(modelText: string): readonly VersionValues[] {
    return [...(this.#models.get(modelText)?.versions.values() ?? [])]
  }

  forget(mentions: Mentions): void {
    for (const each of [...this.#all(), ...this.#writing]) each.forget(mentions)
  }

  /** Discards all counters. */
  discard(): void {
    for (const each of this.#all()) each.release()
    this.#models.clear()
    this.#count = 0
    this.#texts = 0
  }

  /** Returns what waits of a version, undefined when there is nothing yet and no room. */
  #version({ writeKey, eventType, eventIdentifier }: ModelKey, schemaHash: string): PackedValues | undefined {
    const key = { writeKey, eventType, eventIdentifier }
    const text = modelKeyText(key)
    const model = this.#models.get(text) ?? { key, versions: new Map<string, PackedValues>() }
    const known = model.versions.get(schemaHash)
    if (known) return known
    if (this.#count >= waitingMax) return undefined
    const added = new PackedValues(schemaHash, this.#memory)
    model.versions.set(schemaHash, added)
    this.#models.set(text, model)
    this.#count += 1
    return added
  }

  /** @returns false when it does not wait. */
  #remove(key: ModelKey, values: PackedValues): boolean {
    const text = modelKeyText(key)
    const versions = this.#models.get(text)?.versions
    if (versions?.get(values.schemaHash) !== values) return false
    versions.delete(values.schemaHash)
    if (versions.size === 0) this.#models.delete(text)
    this.#count -= 1
    this.#texts -= values.texts.length
    return true
  }

  *#all(): Iterable<PackedValues> {
    for (const { versions } of this.#models.values()) yield* versions.values()
  }
}

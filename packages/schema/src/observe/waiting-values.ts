import type { ModelValues, VersionValues } from '../catalogue/schema-delta.ts'
import { type ModelKey, modelKeyText } from '../shapes/model-key.ts'
import type { Mentions } from '../values/mentions.ts'

/** Versions whose counters wait to be stored. */
const waitingMax = 2_000
/** Versions whose counters are stored at once: other writes to the store wait meanwhile, 0.1 ms per version in SQLite. */
const versionsPerWriteMax = 200

/** Value counters by model that will be stored and are not counted into any more. */
export class WaitingValues {
  readonly #models = new Map<string, { readonly key: ModelKey; readonly versions: VersionValues[] }>()
  /** Handed over but perhaps not stored yet. Until they are stored, users are also removed here. */
  #writing: readonly VersionValues[] = []
  #count = 0

  /** @returns false when there are too many, for example from ever new shapes; the counters were then not added. */
  add({ writeKey, eventType, eventIdentifier }: ModelKey, values: VersionValues): boolean {
    if (this.#count >= waitingMax) return false
    const key = { writeKey, eventType, eventIdentifier }
    const text = modelKeyText(key)
    const ofModel = this.#models.get(text) ?? { key, versions: [] }
    ofModel.versions.push(values)
    this.#models.set(text, ofModel)
    this.#count += 1
    return true
  }

  /**
   * Writes the counters of one model after the other, oldest first and in parts, and releases them. Counters added meanwhile wait
   * for the next call.
   * @param onFailed receives each version whose counters could not be written, before the call rejects.
   */
  async store(
    write: (values: ModelValues) => Promise<void>,
    onFailed: (key: ModelKey, values: VersionValues) => void,
  ): Promise<void> {
    for (const [text, { key, versions }] of [...this.#models])
      for (let left = versions.length; left > 0; ) {
        const written = versions.splice(0, Math.min(left, versionsPerWriteMax))
        left -= written.length
        if (versions.length === 0) this.#models.delete(text)
        await this.#write({ ...key, versions: written }, write, onFailed)
      }
  }

  async #write(
    values: ModelValues,
    write: (values: ModelValues) => Promise<void>,
    onFailed: (key: ModelKey, values: VersionValues) => void,
  ): Promise<void> {
    const { versions } = values
    this.#count -= versions.length
    this.#writing = versions
    try {
      await write(values)
    } catch (error) {
      for (const each of versions) onFailed(values, each)
      throw error
    } finally {
      this.#writing = []
    }
    for (const { counters } of versions) for (const counter of counters.values()) counter.release()
  }

  /** Returns the counters of one model, without those being written. */
  of(modelText: string): readonly VersionValues[] {
    return this.#models.get(modelText)?.versions ?? []
  }

  forget(mentions: Mentions): void {
    for (const { counters } of [...this.#all(), ...this.#writing])
      for (const [path, counter] of counters) counter.forgetMentions(mentions, path)
  }

  /** Discards all counters. */
  discard(): void {
    for (const { counters } of this.#all()) for (const counter of counters.values()) counter.release()
    this.#models.clear()
    this.#count = 0
  }

  *#all(): Iterable<VersionValues> {
    for (const { versions } of this.#models.values()) yield* versions
  }
}

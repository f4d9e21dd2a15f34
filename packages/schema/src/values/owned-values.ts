import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/** How often events of some users had a value, by dotted path and by value. */
export type OwnedValues = ReadonlyMap<string, ReadonlyMap<string, number>>

export const noOwnedValues: OwnedValues = new Map()

/** Values that are counted, and how deep. Beyond it, values are not counted, and so not removed. */
const valuesMax = 100_000
const depthMax = 64

/**
 * Counts the values of events by path, as texts of at most `valueLengthMax` characters: the form in which the catalogue
 * counts them.
 */
export class OwnedValueCounter {
  readonly #counts = new Map<string, Map<string, number>>()
  readonly #valueLengthMax: number
  #room = valuesMax

  constructor(valueLengthMax: number) {
    this.#valueLengthMax = valueLengthMax
  }

  get values(): OwnedValues {
    return this.#counts
  }

  add(event: JsonObject): void {
    this.#walk(event, '', 0)
  }

  #walk(value: JsonValue | undefined, path: string, depth: number): void {
    if (value === undefined || value === null || depth > depthMax) return
    if (typeof value !== 'object') {
      this.#count(path, String(value).slice(0, this.#valueLengthMax))
      return
    }
    const members = isJsonObject(value) ? Object.entries(value) : [...value.entries()]
    for (const [key, member] of members) this.#walk(member, path === '' ? String(key) : `${path}.${key}`, depth + 1)
  }

  #count(path: string, value: string): void {
    const counts = this.#counts.get(path) ?? new Map<string, number>()
    const before = counts.get(value)
    if (before === undefined && this.#room === 0) return
    if (before === undefined) this.#room -= 1
    counts.set(value, (before ?? 0) + 1)
    this.#counts.set(path, counts)
  }
}

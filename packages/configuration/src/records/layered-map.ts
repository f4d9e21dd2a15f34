/** Changes of a map above which they are put into one map: a copy is then paid for by as many changes. */
const changesMax = 1_000

/**
 * A map with changes on top of another one, which must not change any more: making it costs the changes, not a copy. Its
 * order is that of `Map`: a key that is set again stays where it is, one that was deleted before comes last.
 */
export class LayeredMap<Value> {
  readonly #below: ReadonlyMap<string, Value>
  /** Other values of keys below. */
  readonly #changed: Map<string, Value>
  readonly #removed: Set<string>
  readonly #added: Map<string, Value>

  constructor(before: ReadonlyMap<string, Value>) {
    const isShort = before instanceof LayeredMap && (before as LayeredMap<Value>).#changes <= changesMax
    const layers = isShort ? (before as LayeredMap<Value>) : undefined
    if (layers === undefined) {
      this.#below = before instanceof LayeredMap ? new Map(before as LayeredMap<Value>) : before
      this.#changed = new Map()
      this.#removed = new Set()
      this.#added = new Map()
    } else {
      this.#below = layers.#below
      this.#changed = new Map(layers.#changed)
      this.#removed = new Set(layers.#removed)
      this.#added = new Map(layers.#added)
    }
  }

  get #changes(): number {
    return this.#changed.size + this.#removed.size + this.#added.size
  }

  get size(): number {
    return this.#below.size - this.#removed.size + this.#added.size
  }

  get(key: string): Value | undefined {
    if (this.#added.has(key)) return this.#added.get(key)
    if (this.#removed.has(key)) return undefined
    return this.#changed.has(key) ? this.#changed.get(key) : this.#below.get(key)
  }

  has(key: string): boolean {
    return this.#added.has(key) || (!this.#removed.has(key) && this.#below.has(key))
  }

  set(key: string, value: Value): this {
    const isBelow = this.#below.has(key) && !this.#removed.has(key)
    ;(isBelow ? this.#changed : this.#added).set(key, value)
    return this
  }

  delete(key: string): boolean {
    if (this.#added.delete(key)) return true
    if (this.#removed.has(key) || !this.#below.has(key)) return false
    this.#changed.delete(key)
    this.#removed.add(key)
    return true
  }

  forEach(work: (value: Value, key: string, map: ReadonlyMap<string, Value>) => void): void {
    for (const [key, value] of this.entries()) work(value, key, this)
  }

  *entries(): Generator<[string, Value], undefined> {
    for (const [key, value] of this.#below)
      if (!this.#removed.has(key)) yield [key, this.#changed.has(key) ? (this.#changed.get(key) as Value) : value]
    yield* this.#added
  }

  *keys(): Generator<string, undefined> {
    for (const [key] of this.entries()) yield key
  }

  *values(): Generator<Value, undefined> {
    for (const [, value] of this.entries()) yield value
  }

  [Symbol.iterator](): Generator<[string, Value], undefined> {
    return this.entries()
  }
}

import type { JsonObject, JsonValue } from '@sluice/core'
import type { CountedValue } from './counted-value.ts'

const kinds = {
  string: 0,
  number: 1,
  boolean: 2,
  null: 3,
  object: 4,
  array: 5,
  end: 6,
  deepObject: 7,
  deepArray: 8,
} as const

/** Bytes of a node and its entry in its parent, as measured with V8. */
const nodeBytes = 160

/** A position of a walk: after the same keys with values of the same kinds, in the same order. */
export class ShapeNode<Leaf> {
  /** Information about the events that end here. */
  leaf: Leaf | undefined
  /** The first step added, which is usually the only one. */
  #key = ''
  #kind = -1
  #next: ShapeNode<Leaf> | undefined
  #others: Map<string, ShapeNode<Leaf>>[] | undefined

  to(key: string, kind: number): ShapeNode<Leaf> | undefined {
    if (this.#kind === kind && this.#key === key) return this.#next
    return this.#others?.[kind]?.get(key)
  }

  grow(key: string, kind: number): ShapeNode<Leaf> {
    const node = new ShapeNode<Leaf>()
    if (this.#next === undefined) {
      this.#key = key
      this.#kind = kind
      this.#next = node
      return node
    }
    this.#others ??= []
    const ofKind = this.#others[kind] ?? new Map<string, ShapeNode<Leaf>>()
    this.#others[kind] = ofKind.set(key, node)
    return node
  }
}

/**
 * Recognises events of a known shape in one walk, without building paths. It is a tree of transitions from key to key,
 * like those of hidden classes in JavaScript engines. The walk collects the values in `values`.
 *
 * Events of more than `stepsMax` keys are not walked to their end, and create no nodes. The caller attaches data at the
 * ends, and clears the tree when it exceeds its memory limit.
 */
export class ShapeTree<Leaf> {
  /**
   * Values of the last walk: strings, numbers and booleans in document order. Only the first `valueCount` are valid.
   */
  readonly values: CountedValue[] = []
  valueCount = 0
  readonly #depthMax: number
  readonly #stepsMax: number
  #root = new ShapeNode<Leaf>()
  #bytes = 0
  #steps = 0
  #mayGrow = true

  constructor({ depthMax, stepsMax = 5_000 }: ShapeTreeOptions) {
    this.#depthMax = depthMax
    this.#stepsMax = stepsMax
  }

  /** Estimated size of the nodes and of the data added. */
  get bytes(): number {
    return this.#bytes
  }

  /** Steps of the last walk: keys and list items of the event, and ends of its objects and lists. */
  get steps(): number {
    return this.#steps
  }

  /** Whether the last walk stopped because the event was too large. */
  get isTooLarge(): boolean {
    return this.#steps > this.#stepsMax
  }

  /** Adds the size of data attached at an end. */
  addBytes(bytes: number): void {
    this.#bytes += bytes
  }

  /**
   * @param mayGrow false adds no unknown shape.
   * @returns the end of the event; undefined when it has too many keys, or is unknown and may not be added.
   */
  walk(event: JsonObject, mayGrow = true): ShapeNode<Leaf> | undefined {
    this.#mayGrow = mayGrow
    this.valueCount = 0
    this.#steps = 0
    return this.#members(event, this.#root, 1)
  }

  /** Discards all shapes. */
  clear(): void {
    this.#root = new ShapeNode()
    this.#bytes = 0
  }

  #members(object: JsonObject, from: ShapeNode<Leaf> | undefined, depth: number): ShapeNode<Leaf> | undefined {
    let node = from
    // Faster than a list of the keys. Objects parsed from JSON inherit no enumerable properties.
    for (const key in object) {
      node = this.#value(object[key], key, node, depth)
      if (node === undefined && this.isTooLarge) return undefined
    }
    return node
  }

  #value(
    value: JsonValue | undefined,
    key: string,
    node: ShapeNode<Leaf> | undefined,
    depth: number,
  ): ShapeNode<Leaf> | undefined {
    switch (typeof value) {
      case 'string':
        this.values[this.valueCount++] = value
        return this.#step(node, key, kinds.string)
      case 'number':
        this.values[this.valueCount++] = value
        return this.#step(node, key, kinds.number)
      case 'boolean':
        this.values[this.valueCount++] = value
        return this.#step(node, key, kinds.boolean)
      case 'object':
        return value === null ? this.#step(node, key, kinds.null) : this.#container(value, key, node, depth)
      default:
        return node
    }
  }

  #container(
    value: JsonObject | readonly JsonValue[],
    key: string,
    from: ShapeNode<Leaf> | undefined,
    depth: number,
  ): ShapeNode<Leaf> | undefined {
    const isArray = Array.isArray(value)
    if (depth >= this.#depthMax) return this.#step(from, key, isArray ? kinds.deepArray : kinds.deepObject)
    let node = this.#step(from, key, isArray ? kinds.array : kinds.object)
    if (isArray)
      for (const item of value) {
        node = this.#value(item, '', node, depth + 1)
        if (node === undefined && this.isTooLarge) return undefined
      }
    else node = this.#members(value as JsonObject, node, depth + 1)
    return this.#step(node, '', kinds.end)
  }

  #step(node: ShapeNode<Leaf> | undefined, key: string, kind: number): ShapeNode<Leaf> | undefined {
    this.#steps += 1
    if (node === undefined || this.#steps > this.#stepsMax) return undefined
    const next = node.to(key, kind)
    if (next !== undefined || !this.#mayGrow) return next
    this.#bytes += nodeBytes
    return node.grow(key, kind)
  }
}

interface ShapeTreeOptions {
  /** Levels that are walked. */
  readonly depthMax: number
  readonly stepsMax?: number
}

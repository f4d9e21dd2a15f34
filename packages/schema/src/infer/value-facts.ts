import type { JsonValue } from '@sluice/core'
import { TextFacts } from './text-facts.ts'

/** Types of JSON Schema; `integer` for numbers without a fraction. */
export const valueTypes = ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array'] as const
export type ValueType = (typeof valueTypes)[number]

/** Most keys of all objects at one place. With more, the keys are data, such as ids, and are not learnt. */
const membersMax = 200
/** Levels below a section of an event; deeper values may be anything. */
const depthMax = 20

/** What is known of the values at one place of events. */
export class ValueFacts {
  /** Values that were there, nulls included. */
  count = 0
  readonly types = new Map<ValueType, number>()
  /** Of objects, by key. */
  readonly members = new Map<string, ValueFacts>()
  /** Whether objects had members that are not in `members`. */
  isOpen = false
  /** Of the items of lists, all together. */
  items: ValueFacts | undefined
  readonly texts = new TextFacts()
  #isTable = false

  addType(type: ValueType, times = 1): void {
    this.types.set(type, (this.types.get(type) ?? 0) + times)
  }

  /** Returns the facts of a member; undefined when the keys here are not learnt. */
  member(key: string): ValueFacts | undefined {
    const known = this.members.get(key)
    if (known !== undefined) return known
    if (this.#isTable) return undefined
    if (this.members.size >= membersMax) {
      this.members.clear()
      this.#isTable = true
      this.isOpen = true
      return undefined
    }
    const added = new ValueFacts()
    this.members.set(key, added)
    return added
  }

  /** Learns a value. @param isShown whether a key may be written down: it may be personal data itself. */
  add(value: JsonValue, isShown: (key: string) => boolean, depth = 0): void {
    this.count += 1
    const type = typeOf(value)
    this.addType(type)
    if (typeof value === 'string') this.texts.add(value)
    if (typeof value !== 'object' || value === null) return
    if (depth >= depthMax) {
      this.isOpen = true
      return
    }
    if (Array.isArray(value)) {
      this.items ??= new ValueFacts()
      for (const item of value as readonly JsonValue[]) this.items.add(item, isShown, depth + 1)
      return
    }
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue
      if (isShown(key)) this.member(key)?.add(member, isShown, depth + 1)
      else this.isOpen = true
    }
  }
}

function typeOf(value: JsonValue): ValueType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'string' | 'boolean' | 'object'
}

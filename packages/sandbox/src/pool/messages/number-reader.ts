import { InvariantError } from '@sluice/core'

/** Reads a flat list of numbers in order. */
export class NumberReader {
  readonly #numbers: readonly number[]
  #at = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#numbers.length
  }

  next(): number {
    const number = this.#numbers[this.#at++]
    if (number === undefined) throw new InvariantError('a list of numbers ends too early')
    return number
  }

  /** Reads a list that was written after its length. */
  list<Item>(readItem: () => Item): Item[] {
    const items: Item[] = []
    for (let left = this.next(); left > 0; left -= 1) items.push(readItem())
    return items
  }
}

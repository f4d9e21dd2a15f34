import { InvariantError } from '@sluice/core'

/** Reads a flat list of numbers in the order in which it was written. */
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

  /** A list that was written with its length before it. */
  list<Item>(readItem: () => Item): Item[] {
    const items: Item[] = []
    for (let left = this.next(); left > 0; left -= 1) items.push(readItem())
    return items
  }
}

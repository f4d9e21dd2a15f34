import { type Compiling, type Frame, type Place, reporter, type Step, type Word } from './compiling.ts'

export type List = readonly unknown[]

function count(word: string, quantity: string, isMet: (length: number, limit: number) => boolean): Word<number, List> {
  return (compiling, wanted) => {
    const report = reporter(compiling, word, `must NOT have ${quantity} than ${wanted} items`)
    return (data, place, frame) => isMet(data.length, wanted) || report(data, place, frame)
  }
}

/** Words about lists, in the order in which their problems are reported. */
export const wordsForLists = {
  maxItems: count('maxItems', 'more', (length, wanted) => length <= wanted),
  minItems: count('minItems', 'fewer', (length, wanted) => length >= wanted),
  items: (compiling, schema: unknown) => itemsFrom(compiling, schema, 0),
} satisfies Readonly<Record<string, Word<never, List>>>

/** Checks the items from a place on. */
export function itemsFrom(compiling: Compiling, schema: unknown, from: number): Step<List> | undefined {
  compiling.items = true
  return compiling.allowsAll(schema) ? undefined : eachFrom(compiling, schema, from)
}

function eachFrom(compiling: Compiling, schema: unknown, from: number): Step<List> {
  const { step } = compiling.inner(schema)
  return (data: List, place: Place | undefined, frame: Frame) => {
    for (let index = from; index < data.length; index += 1)
      step(data[index], { above: place, key: String(index) }, frame)
  }
}

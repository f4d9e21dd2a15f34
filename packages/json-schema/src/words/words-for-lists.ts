import { sizeLimit } from '../bounds/size-limit.ts'
import type { Compiling, Frame, Place, Step, Word } from '../compiling.ts'

export type List = readonly unknown[]

const lengthOf = ({ length }: List): number => length

/** Words about lists, in the order in which their problems are reported. */
export const wordsForLists = {
  maxItems: sizeLimit('maxItems', 'items', lengthOf),
  minItems: sizeLimit('minItems', 'items', lengthOf),
  items: (compiling, schema: unknown) => itemsFrom(compiling, schema, 0),
} satisfies Readonly<Record<string, Word<never, List>>>

/** Checks the items from a place on. */
export function itemsFrom(compiling: Compiling, schema: unknown, from: number): Step<List> | undefined {
  compiling.items = true
  return compiling.allowsAll(schema) ? undefined : eachFrom(compiling, schema, from)
}

/** Checks the items from a place on with one schema. */
export function eachFrom(compiling: Compiling, schema: unknown, from: number): Step<List> {
  const { step } = compiling.inner(schema)
  return (data: List, place: Place | undefined, frame: Frame) => {
    for (let index = from; index < data.length; index += 1)
      step(data[index], { above: place, key: String(index) }, frame)
  }
}

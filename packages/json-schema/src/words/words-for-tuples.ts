import { type Compiling, reporter, type Word } from '../compiling.ts'
import { itemsAtPlaces } from './words-for-items.ts'
import { eachFrom, itemsFrom, type List } from './words-for-lists.ts'

/** Words of drafts before 2020-12, where `items` may be a list of schemas for the first items. */
export const wordsForTuples: Readonly<Record<string, Word<never, List>>> = {
  additionalItems(compiling: Compiling, schema: unknown) {
    const { items } = compiling.schema
    if (!Array.isArray(items)) return undefined
    compiling.items = true
    const from = items.length
    if (schema === false) {
      const report = reporter(compiling, 'additionalItems', `must NOT have more than ${from} items`)
      return (data, place, frame) => data.length <= from || report(data, place, frame)
    }
    return typeof schema !== 'object' || compiling.allowsAll(schema) ? undefined : eachFrom(compiling, schema, from)
  },
  items: (compiling, schema: unknown) =>
    Array.isArray(schema) ? itemsAtPlaces(compiling, schema) : itemsFrom(compiling, schema, 0),
}

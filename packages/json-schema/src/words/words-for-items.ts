import { spend, spendOn } from '../bounds/steps.ts'
import { checkedTypesOf } from '../checked-types-of.ts'
import { type Compiling, type Frame, fits, reporter, type Schema, type Step, type Word } from '../compiling.ts'
import { mergeEvaluated, Slot } from '../evaluated.ts'
import { typeChecks } from '../type-checks.ts'
import { inTurn, noDemand } from './words-for-any.ts'
import { itemsFrom, type List } from './words-for-lists.ts'

/** More words about lists, after `maxItems` and `minItems`. */
export const wordsForItems = {
  prefixItems: (compiling, schemas: List) => itemsAtPlaces(compiling, schemas),
  items(compiling, schema: unknown) {
    const { prefixItems } = compiling.schema
    return Array.isArray(prefixItems)
      ? itemsAfter(compiling, schema, prefixItems.length)
      : itemsFrom(compiling, schema, 0)
  },
  contains(compiling, schema: unknown) {
    // Drafts without these words ignore them.
    const { minContains, maxContains } = compiling.vocabulary.words.has('minContains') ? compiling.schema : {}
    const min = Number(minContains ?? 1)
    const max = maxContains !== undefined ? Number(maxContains) : undefined
    const report = reporter(
      compiling,
      'contains',
      `must contain at least ${min}${max === undefined ? '' : ` and no more than ${max}`} valid item(s)`,
    )
    if (max === undefined && min === 0) return undefined
    if (max !== undefined && min > max) return report
    const isEnough = (found: number): boolean => found >= min && (max === undefined || found <= max)
    if (compiling.allowsAll(schema)) return (data, place, frame) => isEnough(data.length) || report(data, place, frame)
    compiling.items = true
    const { step } = compiling.inner(schema, { isComposite: true })
    /** No more items are looked at when the answer cannot change. */
    const isDecided = (found: number): boolean => (max === undefined ? found >= min : found > max)
    return (data, place, frame) => {
      const before = frame.problems.length
      let found = 0
      for (let index = 0; index < data.length && !isDecided(found); index += 1)
        if (fits(step, data[index], { above: place, key: String(index) }, frame)) found += 1
      if (isEnough(found)) frame.problems.length = before
      else report(data, place, frame)
    }
  },
  uniqueItems(compiling, isWanted: boolean) {
    if (!isWanted) return undefined
    const { items } = compiling.schema
    const types = items ? checkedTypesOf(items as Schema) : []
    const isScalar = types.length > 0 && !types.includes('object') && !types.includes('array')
    const twins = isScalar ? scalarTwins(types) : anyTwins
    return (data, place, frame) => {
      spend(frame, data.length)
      const found = twins(data, frame)
      if (found === undefined) return
      const text = `must NOT have duplicate items (items ## ${found[1]} and ${found[0]} are identical)`
      reporter(compiling, 'uniqueItems', text)(data, place, frame)
    }
  },
  maxContains: noDemand,
  minContains: noDemand,
  unevaluatedItems(compiling, schema: unknown) {
    const known = compiling.items ?? 0
    if (known === true) return undefined
    compiling.items = true
    if (schema !== false && (typeof schema !== 'object' || compiling.allowsAll(schema))) return undefined
    const { step } = compiling.inner(schema)
    return (data, place, frame) => {
      const from = known instanceof Slot ? frame.slots.known[known.index] : known
      if (schema === false) {
        if (data.length > Number(from))
          reporter(compiling, 'unevaluatedItems', `must NOT have more than ${from} items`)(data, place, frame)
        return
      }
      const members = data as unknown as Schema
      for (let index = Number(from), key = String(from); index < data.length; index += 1, key = String(index))
        step(members[key], { above: place, key }, frame)
    }
  },
} satisfies Readonly<Record<string, Word<never, List>>>

/** Checks the first items, each with a schema of its own. */
export function itemsAtPlaces(compiling: Compiling, schemas: List): Step<List> | undefined {
  if (schemas.length > 0 && compiling.items !== true) {
    const { result, run } = mergeEvaluated(schemas.length, compiling.items, compiling.unit.root.costs)
    compiling.items = result
    const steps = itemSteps(compiling, schemas)
    return inTurn(compiling, [(_data, _place, { slots }) => run(slots), ...steps])
  }
  return inTurn(compiling, itemSteps(compiling, schemas))
}

function itemSteps(compiling: Compiling, schemas: List): readonly Step<List>[] {
  return schemas.flatMap((schema, index): Step<List>[] => {
    if (compiling.allowsAll(schema)) return []
    const { step } = compiling.inner(schema, { keepsPlaces: true })
    const key = String(index)
    return [
      (data, place, frame) => {
        if (index < data.length) step(data[index], { above: place, key }, frame)
      },
    ]
  })
}

/** Checks the items after those that have schemas of their own. */
function itemsAfter(compiling: Compiling, schema: unknown, from: number): Step<List> | undefined {
  if (schema !== false) return itemsFrom(compiling, schema, from)
  compiling.items = true
  const report = reporter(compiling, 'items', `must NOT have more than ${from} items`)
  return (data, place, frame) => data.length <= from || report(data, place, frame)
}

type Twins = readonly [number, number]

/** Finds the last item that equals an earlier one, and the last one that it equals. */
function anyTwins(data: List, frame: Frame): Twins | undefined {
  const last = new Map<string, number>()
  let found: Twins | undefined
  for (const [index, item] of data.entries()) {
    const key = keyOf(item, frame)
    const other = last.get(key)
    if (other !== undefined) found = [index, other]
    last.set(key, index)
  }
  return found
}

/** Characters of a name from which reading it counts: shorter ones belong to the step of their object. */
const longName = 100

/** Returns a text that equal JSON values share, and no others. */
function keyOf(value: unknown, frame: Frame): string {
  if (typeof value === 'string') spendOn(value, frame)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  spend(frame, 1)
  if (Array.isArray(value)) return `[${value.map((item) => keyOf(item, frame)).join()}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [name] of members) if (name.length > longName) spendOn(name, frame)
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${keyOf(member, frame)}`).join()}}`
}

/** Finds two equal items among those of the types, in one pass. */
function scalarTwins(types: readonly string[]): (data: List, frame: Frame) => Twins | undefined {
  return (data, frame) => {
    const indices = new Map<string, number>()
    for (let index = data.length - 1; index >= 0; index -= 1) {
      const item = data[index]
      if (!types.some((type) => typeChecks[type]?.(item))) continue
      if (typeof item === 'string') spendOn(item, frame)
      const key = types.length > 1 && typeof item === 'string' ? `${item}_` : String(item)
      const other = indices.get(key)
      if (other !== undefined) return [index, other]
      indices.set(key, index)
    }
    return undefined
  }
}

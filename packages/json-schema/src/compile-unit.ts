import { spend } from './bounds/steps.ts'
import { checkedTypesOf } from './checked-types-of.ts'
import { compileSchema } from './compile-schema.ts'
import type { Compiling, Frame, Inner, Root, Runs, Schema, Unit, Vocabulary } from './compiling.ts'
import { mergeEvaluated, Slot, type Slots } from './evaluated.ts'
import { addressOf } from './find-target.ts'

/** Compiles a schema to a unit. References to it find it while it is being compiled. */
export function compileUnit(root: Root, schema: unknown, baseId: string): Unit {
  const known = root.units.get(schema)
  if (known) return known
  const unit: Unit = { schema, baseId, root, slotCount: 0 }
  root.units.set(schema, unit)
  try {
    finish(unit, compileSchema({ vocabulary: root.vocabulary, unit, baseId }, schema))
  } catch (error) {
    root.units.delete(schema)
    throw error
  }
  return unit
}

/** Steps that it takes to run a unit, beside those of its schema. */
const stepsPerRun = 2

function finish(unit: Unit, { step, props, items }: Inner): void {
  const evaluated = {
    props: props instanceof Slot ? undefined : props,
    items: items instanceof Slot ? undefined : items,
    hasDynamicProps: props instanceof Slot,
    hasDynamicItems: items instanceof Slot,
  }
  unit.evaluated = evaluated
  unit.step = (data, place, { problems, anchors, budget }) => {
    spend({ budget }, stepsPerRun + unit.slotCount)
    const slots: Slots = { known: Array.from<undefined>({ length: unit.slotCount }), budget }
    if (evaluated.hasDynamicProps) evaluated.props = undefined
    if (evaluated.hasDynamicItems) evaluated.items = undefined
    const frame: Frame = { problems, anchors, slots, budget }
    step(data, place, frame)
    if (props instanceof Slot) evaluated.props = frame.slots.known[props.index]
    if (items instanceof Slot) evaluated.items = frame.slots.known[items.index]
  }
}

/** What words about evaluated members, and about other schemas, need. */
export function unitSupport(idWord: 'id' | '$id'): NonNullable<Vocabulary['more']> {
  return {
    merge,
    typesOf: checkedTypesOf,
    idWord,
    baseOf: (baseId: string, schema: Schema) => {
      const id = schema[idWord]
      return typeof id === 'string' ? addressOf(baseId, id) : baseId
    },
  }
}

/** Begins to note evaluated names one by one; undefined when all are evaluated anyway. */
export function noteNames(compiling: Compiling) {
  const { props } = compiling
  if (props === true) return undefined
  const slot = props instanceof Slot ? props : newSlot(compiling.unit)
  compiling.props = slot
  const begin =
    props instanceof Slot
      ? (_: Slots) => {}
      : mergeEvaluated(typeof props === 'object' ? props : {}, undefined, compiling.unit.root.costs, () => slot).run
  return {
    begin,
    add(slots: Slots, name: string) {
      const known = slots.known[slot.index]
      if (typeof known === 'object') Object.assign(known, { [name]: true })
    },
  }
}

function merge(
  compiling: Compiling,
  { props, items }: Pick<Inner, 'props' | 'items'>,
  runs: Runs,
): (slots: Slots) => void {
  const { costs } = compiling.unit.root
  const slot = runs === 'always' ? undefined : () => newSlot(compiling.unit)
  const runners: ((slots: Slots) => void)[] = []
  if (compiling.props !== true && props !== undefined) {
    const { result, run } = mergeEvaluated(props, compiling.props, costs, slot)
    compiling.props = result
    runners.push(run)
  }
  if (compiling.items !== true && items !== undefined) {
    const { result, run } = mergeEvaluated(items, compiling.items, costs, slot)
    compiling.items = result
    runners.push(run)
  }
  return (slots) => {
    for (const run of runners) run(slots)
  }
}

export function newSlot(unit: Unit): Slot {
  unit.slotCount += 1
  return new Slot(unit.slotCount - 1)
}

import { type Costs, type StepBudget, spend } from './bounds/steps.ts'

/**
 * What the words of a schema have evaluated: all, or the named members, or so many items from the first. Known when the
 * schema is compiled, or kept in a slot of the running check when it depends on the value.
 *
 * The rules are those of ajv, also where ajv differs from the standard, because events must be judged alike on every
 * platform.
 */
export type Evaluated = undefined | true | number | Names | Slot

type Names = Readonly<Record<string, true>>
type Known = Exclude<Evaluated, Slot>

/** A variable of the running check that holds what is known to be evaluated. */
export class Slot {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

/** Variables of one run. */
export interface Slots {
  readonly known: Known[]
  readonly budget: StepBudget
}

interface Merged {
  readonly result: Exclude<Evaluated, undefined>
  /** What is to be done when the merged words have run. */
  readonly run: (slots: Slots) => void
}

/**
 * Adds what one word has evaluated to what others have.
 * @param compiling what compiling may still cost.
 * @param newSlot given when the words run only for some values: the result is then kept in a slot.
 */
export function mergeEvaluated(
  from: Exclude<Evaluated, undefined>,
  to: Exclude<Evaluated, true>,
  compiling: Costs,
  newSlot?: () => Slot,
): Merged {
  const { result, run } = joined(from, to, compiling)
  if (newSlot === undefined || result instanceof Slot) return { result, run }
  const slot = newSlot()
  return {
    result: slot,
    run: (slots) => {
      run(slots)
      slots.known[slot.index] = copy(result, slots)
    },
  }
}

function joined(from: Exclude<Evaluated, undefined>, to: Exclude<Evaluated, true>, compiling: Costs): Merged {
  if (to === undefined) return { result: from, run: () => {} }
  if (to instanceof Slot) return { result: to, run: (slots) => join(slots, to, from) }
  if (from instanceof Slot) return { result: from, run: (slots) => join(slots, from, to) }
  return { result: sum(copy(to, compiling), from, compiling) ?? true, run: () => {} }
}

function join(slots: Slots, to: Slot, from: Exclude<Evaluated, undefined>): void {
  slots.known[to.index] = sum(slots.known[to.index], from instanceof Slot ? slots.known[from.index] : from, slots)
}

/** Names are added to the object of `to` itself. */
function sum(to: Known, from: Known, costs: Costs): Known {
  if (to === true || from === undefined) return to
  if (from === true) return true
  if (typeof from === 'number') return Number(to) > from ? to : from
  spendOnNames(from, costs)
  return Object.assign(to ?? {}, from) as Names
}

function copy(known: Known, costs: Costs): Known {
  if (typeof known !== 'object') return known
  spendOnNames(known, costs)
  return { ...known }
}

/** Steps that it takes to copy a name. */
const stepsPerName = 4

/** A schema with many names can be applied to many members, or referred to many times. */
function spendOnNames(names: Names, costs: Costs): void {
  spend(costs, Object.keys(names).length * stepsPerName)
}

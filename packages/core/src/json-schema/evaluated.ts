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
export type Slots = Known[]

export interface Merged {
  readonly result: Exclude<Evaluated, undefined>
  /** What is to be done when the merged words have run. */
  readonly run: (slots: Slots) => void
}

/**
 * Adds what one word has evaluated to what others have.
 * @param newSlot given when the words run only for some values: the result is then kept in a slot.
 */
export function mergeEvaluated(
  from: Exclude<Evaluated, undefined>,
  to: Exclude<Evaluated, true>,
  newSlot?: () => Slot,
): Merged {
  const { result, run } = joined(from, to)
  if (newSlot === undefined || result instanceof Slot) return { result, run }
  const slot = newSlot()
  return {
    result: slot,
    run: (slots) => {
      run(slots)
      slots[slot.index] = copy(result)
    },
  }
}

function joined(from: Exclude<Evaluated, undefined>, to: Exclude<Evaluated, true>): Merged {
  if (to === undefined) return { result: from, run: () => {} }
  if (to instanceof Slot) return { result: to, run: (slots) => join(slots, to, from) }
  if (from instanceof Slot) return { result: from, run: (slots) => join(slots, from, to) }
  return { result: sum(copy(to), from) ?? true, run: () => {} }
}

function join(slots: Slots, to: Slot, from: Exclude<Evaluated, undefined>): void {
  slots[to.index] = sum(slots[to.index], from instanceof Slot ? slots[from.index] : from)
}

/** Names are added to the object of `to` itself. */
function sum(to: Known, from: Known): Known {
  if (to === true || from === undefined) return to
  if (from === true) return true
  if (typeof from === 'number') return Number(to) > from ? to : from
  return Object.assign(to ?? {}, from) as Names
}

function copy(known: Known): Known {
  return typeof known === 'object' ? { ...known } : known
}

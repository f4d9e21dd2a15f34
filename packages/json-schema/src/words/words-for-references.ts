import { isWorthInlining } from '../bounds/inlining.ts'
import { compileUnit, newSlot } from '../compile-unit.ts'
import { type Compiling, type Frame, fits, type Step, type Unit, type UnitEvaluated, type Word } from '../compiling.ts'
import { mergeEvaluated } from '../evaluated.ts'
import { findTarget } from '../find-target.ts'
import { always } from './words-for-any.ts'

/** Words that lead to other schemas. */
export const wordsForReferences = {
  $dynamicAnchor: (compiling, anchor: string) => dynamicAnchor(compiling, anchor),
  $dynamicRef: (compiling, ref: string) => dynamicRef(compiling, '$dynamicRef', ref),
  $recursiveAnchor: (compiling, isAnchor: boolean) => (isAnchor ? dynamicAnchor(compiling, '') : undefined),
  $recursiveRef: (compiling, ref: string) => dynamicRef(compiling, '$recursiveRef', ref),
  id() {
    throw new Error('NOT SUPPORTED: keyword "id", use "$id" for schema ID')
  },
  $ref(compiling, ref: string) {
    if (typeof ref !== 'string') throw new Error('$ref value must be "string"')
    const target = refer(compiling, ref)
    if (!('inline' in target)) return called(compiling, () => target, target.evaluated)
    return always(compiling, compiling.inner(target.inline, { keepsPlaces: leadsToPlace.test(ref) }))
  },
} satisfies Readonly<Record<string, Word<never, unknown>>>

/** Leads to a schema for one position of a list. */
const leadsToPlace = /\/prefixItems\/|\/items\/\d/

/** Finds what a reference leads to. @throws Error when it leads nowhere. */
function refer({ unit, baseId }: Compiling, ref: string): Unit | { readonly inline: unknown } {
  const target = findTarget(unit.root, baseId, ref)
  if (target === undefined) throw new Error(`can't resolve reference ${ref} from id ${baseId || '#'}`)
  if (isWorthInlining(unit.root, target)) return { inline: target.schema }
  return compileUnit(target.root, target.schema, target.baseId)
}

function dynamicAnchor(compiling: Compiling, anchor: string): Step {
  compiling.unit.root.dynamicAnchors.add(anchor)
  const unit =
    compiling.schema === compiling.unit.schema
      ? compiling.unit
      : compileUnit(compiling.unit.root, compiling.schema, compiling.unit.root.baseId)
  return (_data, _place, { anchors }) => {
    if (!anchors.has(anchor)) anchors.set(anchor, unit)
  }
}

function dynamicRef(compiling: Compiling, word: string, ref: string): Step {
  if (!ref.startsWith('#')) throw new Error(`"${word}" only supports hash fragment reference`)
  const anchor = ref.slice(1)
  const { unit } = compiling
  if (unit.root.dynamicAnchors.has(anchor))
    return called(compiling, ({ anchors }) => anchors.get(anchor) ?? unit, undefined)
  if (anchor !== '')
    throw new Error(
      `"${word}": "${ref}" cannot be checked: no schema around it has "$dynamicAnchor": "${anchor}"; use "$ref"`,
    )
  // Without an anchor to find at run time it is a `$ref`.
  const target = findTarget(unit.root, compiling.baseId, ref)
  if (target === undefined) throw new Error(`can't resolve reference ${ref} from id ${compiling.baseId || '#'}`)
  const whole = compileUnit(target.root, target.schema, target.baseId)
  return called(compiling, () => whole, undefined)
}

/** Runs a unit. What it evaluates counts when the value fits. */
function called(compiling: Compiling, unitFor: (frame: Frame) => Unit, known: UnitEvaluated | undefined): Step {
  const mergers = [
    mergeCalled(compiling, 'props', known, known?.hasDynamicProps),
    mergeCalled(compiling, 'items', known, known?.hasDynamicItems),
  ]
  return (data, place, frame) => {
    const unit = unitFor(frame)
    if (unit.step === undefined || !fits(unit.step, data, place, frame)) return
    for (const merge of mergers) merge(unit, frame)
  }
}

function mergeCalled(
  compiling: Compiling,
  part: 'props' | 'items',
  known: UnitEvaluated | undefined,
  isDynamic: boolean | undefined,
): (unit: Unit, frame: Frame) => void {
  const to = compiling[part]
  if (to === true) return () => {}
  if (known !== undefined && isDynamic === false) {
    if (known[part] === undefined) return () => {}
    const { result, run } = mergeEvaluated(known[part], to, compiling.unit.root.costs)
    compiling[part] = result
    return (_, { slots }) => run(slots)
  }
  const slot = newSlot(compiling.unit)
  const { result, run } = mergeEvaluated(slot, to, compiling.unit.root.costs)
  compiling[part] = result
  return ({ evaluated }, { slots }) => {
    const last = evaluated?.[part]
    slots.known[slot.index] =
      typeof last === 'object' && 'index' in last ? undefined : (last as Exclude<typeof last, object>)
    run(slots)
  }
}

import { isSameJson } from '../event/json.ts'
import {
  type Compiling,
  type Frame,
  fits,
  type Inner,
  mergeInner,
  newSlot,
  reporter,
  type Step,
  type Unit,
  type UnitEvaluated,
} from './compiling.ts'
import { mergeEvaluated } from './evaluated.ts'

/** Compiles a word of a schema. @returns undefined when the word demands nothing. */
export type Word<Value = never, Data = never> = (compiling: Compiling, value: Value) => Step<Data> | undefined

export const noDemand = (): undefined => undefined

/** Words about values of every type, in the order in which their problems are reported. */
export const wordsForAny: Readonly<Record<string, Word<never, unknown>>> = {
  $dynamicAnchor: (compiling, anchor: string) => dynamicAnchor(compiling, anchor),
  $dynamicRef: (compiling, ref: string) => dynamicRef(compiling, '$dynamicRef', ref),
  $recursiveAnchor: (compiling, isAnchor: boolean) => (isAnchor ? dynamicAnchor(compiling, '') : undefined),
  $recursiveRef: (compiling, ref: string) => dynamicRef(compiling, '$recursiveRef', ref),
  $comment: noDemand,
  id() {
    throw new Error('NOT SUPPORTED: keyword "id", use "$id" for schema ID')
  },
  $ref(compiling, ref: string) {
    const target = compiling.refer(ref)
    if (!('inline' in target)) return called(compiling, () => target, target.evaluated)
    return always(compiling, compiling.inner(target.inline, ref))
  },
  type: noDemand,
  nullable(_, value: unknown) {
    if (typeof value !== 'boolean') throw new Error('nullable value must be ["boolean"]')
    return undefined
  },
  const(compiling, wanted: unknown) {
    const report = reporter(compiling, 'const', 'must be equal to constant')
    return (data, place, frame) => isSameJson(wanted, data) || report(data, place, frame)
  },
  enum(compiling, allowed: readonly unknown[]) {
    if (allowed.length === 0) throw new Error('enum must have non-empty array')
    const report = reporter(compiling, 'enum', 'must be equal to one of the allowed values')
    return (data, place, frame) => allowed.some((each) => isSameJson(each, data)) || report(data, place, frame)
  },
  not(compiling, schema: unknown) {
    const report = reporter(compiling, 'not', 'must NOT be valid')
    if (compiling.allowsAll(schema)) return report
    const { step } = inside(compiling, 'not', schema, { isComposite: true, stopsAtFirst: true })
    return (data, place, frame) => {
      if (fitsSilently(step, data, place, frame)) report(data, place, frame)
    }
  },
  anyOf(compiling, schemas: readonly unknown[]) {
    const report = reporter(compiling, 'anyOf', 'must match a schema in anyOf')
    const options = schemas.map((schema, index) => option(compiling, `anyOf/${index}`, schema))
    return (data, place, frame) => {
      const before = frame.problems.length
      let isValid = false
      for (const { step, merge } of options) {
        if (!fits(step, data, place, frame)) continue
        isValid = true
        merge(frame.slots)
      }
      if (isValid) frame.problems.length = before
      else report(data, place, frame)
    }
  },
  oneOf(compiling, schemas: readonly unknown[]) {
    const report = reporter(compiling, 'oneOf', 'must match exactly one schema in oneOf')
    const options = schemas.map((schema, index) => option(compiling, `oneOf/${index}`, schema))
    return (data, place, frame) => {
      const before = frame.problems.length
      let found = 0
      for (const { step, merge } of options) {
        if (!fits(step, data, place, frame)) continue
        found += 1
        if (found > 1) break
        merge(frame.slots)
      }
      if (found === 1) frame.problems.length = before
      else report(data, place, frame)
    }
  },
  allOf(compiling, schemas: readonly unknown[]) {
    const steps = schemas.flatMap((schema, index) =>
      compiling.allowsAll(schema) ? [] : [always(compiling, inside(compiling, `allOf/${index}`, schema))],
    )
    return inTurn(compiling, steps)
  },
  if(compiling, schema: unknown) {
    const has = (word: 'then' | 'else'): boolean =>
      compiling.schema[word] !== undefined && !compiling.allowsAll(compiling.schema[word])
    if (!has('then') && !has('else')) return undefined
    const test = inside(compiling, 'if', schema, { isComposite: true, stopsAtFirst: true })
    const mergeTest = mergeInner(compiling, test, 'always')
    const clause = (word: 'then' | 'else') => {
      if (!has(word)) return undefined
      const inner = inside(compiling, word, compiling.schema[word])
      const merge = mergeInner(compiling, inner, 'for some values')
      return { step: inner.step, merge, report: reporter(compiling, 'if', `must match "${word}" schema`) }
    }
    const [whenMet, otherwise] = [clause('then'), clause('else')]
    return (data, place, frame) => {
      const isMet = fitsSilently(test.step, data, place, frame)
      mergeTest(frame.slots)
      const chosen = isMet ? whenMet : otherwise
      if (chosen === undefined) return
      if (fits(chosen.step, data, place, frame)) chosen.merge(frame.slots)
      else chosen.report(data, place, frame)
    }
  },
  // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
  then: noDemand,
  else: noDemand,
}

/** Compiles the schema of a word. @param path the word, and which of its schemas. */
export function inside(
  compiling: Compiling,
  path: string,
  schema: unknown,
  mode?: { readonly isComposite?: true; readonly stopsAtFirst?: true },
): Inner {
  return compiling.inner(schema, `${compiling.schemaPath}/${path}`, mode)
}

/** One of several schemas that a value may match. */
function option(compiling: Compiling, path: string, schema: unknown) {
  const inner = inside(compiling, path, schema, { isComposite: true })
  return { step: inner.step, merge: mergeInner(compiling, inner, 'for some values') }
}

/** Runs a schema whose evaluated members count whether the value fits or not. */
function always(compiling: Compiling, inner: Inner): Step {
  const merge = mergeInner(compiling, inner, 'always')
  return (data, place, frame) => {
    if (!fits(inner.step, data, place, frame) && compiling.stopsAtFirst) return
    merge(frame.slots)
  }
}

/** Runs steps in turn, up to the first problem where only the verdict counts. */
export function inTurn<Data>({ stopsAtFirst }: Compiling, steps: readonly Step<Data>[]): Step<Data> | undefined {
  if (steps.length < 2) return steps[0]
  return (data, place, frame) => {
    for (const step of steps) if (!fits(step, data, place, frame) && stopsAtFirst) return
  }
}

function fitsSilently(step: Step, data: unknown, place: Parameters<Step>[1], frame: Frame): boolean {
  const before = frame.problems.length
  const isValid = fits(step, data, place, frame)
  frame.problems.length = before
  return isValid
}

function dynamicAnchor(compiling: Compiling, anchor: string): Step {
  compiling.unit.root.dynamicAnchors.add(anchor)
  const unit = compiling.schemaPath === '#' ? compiling.unit : compiling.unitOf(compiling.schema)
  return (_data, _place, { anchors }) => {
    if (!anchors.has(anchor)) anchors.set(anchor, unit)
  }
}

function dynamicRef(compiling: Compiling, word: string, ref: string): Step {
  if (!ref.startsWith('#')) throw new Error(`"${word}" only supports hash fragment reference`)
  const { unit } = compiling
  const anchor = ref.slice(1)
  const isAnchored = unit.root.dynamicAnchors.has(anchor)
  return called(compiling, ({ anchors }) => (isAnchored ? anchors.get(anchor) : undefined) ?? unit, undefined)
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
    const { result, run } = mergeEvaluated(known[part], to)
    compiling[part] = result
    return (_, { slots }) => run(slots)
  }
  const slot = newSlot(compiling.unit)
  const { result, run } = mergeEvaluated(slot, to)
  compiling[part] = result
  return ({ evaluated }, { slots }) => {
    const last = evaluated?.[part]
    slots[slot.index] = typeof last === 'object' && 'index' in last ? undefined : (last as Exclude<typeof last, object>)
    run(slots)
  }
}

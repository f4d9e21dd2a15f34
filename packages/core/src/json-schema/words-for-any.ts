import { isSameJson } from '../event/json.ts'
import {
  type Compiling,
  type Frame,
  fits,
  type Inner,
  mergeInner,
  reporter,
  type Step,
  type Word,
} from './compiling.ts'

export const noDemand = (): undefined => undefined

/** Words about values of every type, in the order in which their problems are reported. */
export const wordsForAny: Readonly<Record<string, Word<never, unknown>>> = {
  type: noDemand,
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
    const { step } = compiling.inner(schema, { isComposite: true, stopsAtFirst: true })
    return (data, place, frame) => {
      if (fitsSilently(step, data, place, frame)) report(data, place, frame)
    }
  },
  anyOf(compiling, schemas: readonly unknown[]) {
    const report = reporter(compiling, 'anyOf', 'must match a schema in anyOf')
    const options = schemas.map((schema) => option(compiling, schema))
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
    const options = schemas.map((schema) => option(compiling, schema))
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
    const steps = schemas.flatMap((schema) =>
      compiling.allowsAll(schema) ? [] : [always(compiling, compiling.inner(schema))],
    )
    return inTurn(compiling, steps)
  },
}

/** One of several schemas that a value may match. */
function option(compiling: Compiling, schema: unknown) {
  const inner = compiling.inner(schema, { isComposite: true })
  return { step: inner.step, merge: mergeInner(compiling, inner, 'for some values') }
}

/** Runs a schema whose evaluated members count whether the value fits or not. */
export function always(compiling: Compiling, inner: Inner): Step {
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

export function fitsSilently(step: Step, data: unknown, place: Parameters<Step>[1], frame: Frame): boolean {
  const before = frame.problems.length
  const isValid = fits(step, data, place, frame)
  frame.problems.length = before
  return isValid
}

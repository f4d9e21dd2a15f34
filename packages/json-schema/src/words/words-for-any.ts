import { isSameWithin } from '../bounds/is-same-within.ts'
import { spend } from '../bounds/steps.ts'
import {
  type Compiling,
  type Frame,
  fits,
  type Inner,
  mergeInner,
  reporter,
  type Step,
  type Word,
} from '../compiling.ts'

export const noDemand = (): undefined => undefined

/** Words about values of every type, in the order in which their problems are reported. */
export const wordsForAny: Readonly<Record<string, Word<never, unknown>>> = {
  type: noDemand,
  const: (compiling, wanted: unknown) => oneOfValues(compiling, 'const', 'must be equal to constant', [wanted]),
  enum(compiling, allowed: readonly unknown[]) {
    if (allowed.length === 0) throw new Error('enum must have non-empty array')
    return oneOfValues(compiling, 'enum', 'must be equal to one of the allowed values', allowed)
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
    // As in ajv, a choice that takes everything makes the others count only where evaluated members do.
    const isNeeded = compiling.vocabulary.words.has('unevaluatedProperties')
    if (!isNeeded && schemas.some(compiling.allowsAll)) return undefined
    return upTo(compiling, 'anyOf', 'must match a schema in anyOf', schemas, Number.POSITIVE_INFINITY)
  },
  oneOf: (compiling, schemas: readonly unknown[]) =>
    upTo(compiling, 'oneOf', 'must match exactly one schema in oneOf', schemas, 1),
  allOf(compiling, schemas: readonly unknown[]) {
    const steps = schemas.flatMap((schema) =>
      compiling.allowsAll(schema) ? [] : [always(compiling, compiling.inner(schema))],
    )
    return inTurn(compiling, steps)
  },
}

function oneOfValues(compiling: Compiling, word: string, text: string, allowed: readonly unknown[]): Step {
  const report = reporter(compiling, word, text)
  return (data, place, frame) => {
    spend(frame, allowed.length)
    if (!allowed.some((each) => isSameWithin(frame, each, data))) report(data, place, frame)
  }
}

/** Demands that a value fits at least one of the schemas, and at most so many. */
function upTo(compiling: Compiling, word: string, text: string, schemas: readonly unknown[], most: number): Step {
  const report = reporter(compiling, word, text)
  const options = schemas.map((schema) => {
    const inner = compiling.inner(schema, { isComposite: true })
    return { step: inner.step, merge: mergeInner(compiling, inner, 'for some values') }
  })
  return (data, place, frame) => {
    const before = frame.problems.length
    let found = 0
    for (const { step, merge } of options) {
      if (!fits(step, data, place, frame)) continue
      found += 1
      if (found > most) break
      merge(frame.slots)
    }
    if (found > 0 && found <= most) frame.problems.length = before
    else report(data, place, frame)
  }
}

/** Runs a schema whose evaluated members count whether the value fits or not. */
export function always(compiling: Compiling, inner: Inner): Step {
  const merge = mergeInner(compiling, inner, 'always')
  return (data, place, frame) => {
    if (!fits(inner.step, data, place, frame) && compiling.stopsAtFirst) return
    merge(frame.slots)
  }
}

/** Words that demand nothing of a value are looked at as fast as one step is taken. */
const stepsPerCount = 16

/** Runs steps in turn, up to the first problem where only the verdict counts. */
export function inTurn<Data>({ stopsAtFirst }: Compiling, steps: readonly Step<Data>[]): Step<Data> | undefined {
  if (steps.length < 2) return steps[0]
  const cost = steps.length / stepsPerCount
  return (data, place, frame) => {
    spend(frame, cost)
    for (const step of steps) if (!fits(step, data, place, frame) && stopsAtFirst) return
  }
}

export function fitsSilently(step: Step, data: unknown, place: Parameters<Step>[1], frame: Frame): boolean {
  const before = frame.problems.length
  const isValid = fits(step, data, place, frame)
  frame.problems.length = before
  return isValid
}

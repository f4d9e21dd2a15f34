import { spend } from '../bounds/steps.ts'
import { noteNames } from '../compile-unit.ts'
import { type Compiling, fits, mergeInner, reporter, type Schema, type Step, type Word } from '../compiling.ts'
import { Slot, type Slots } from '../evaluated.ts'
import { ownMember } from './own-member.ts'
import { patternOf } from './patterns.ts'
import { inTurn } from './words-for-any.ts'
import { namesOf, wordsForObjects } from './words-for-objects.ts'

const { maxProperties, minProperties, required, additionalProperties } = wordsForObjects

/** All words about objects, in the order in which their problems are reported. */
export const wordsForMembers = {
  maxProperties,
  minProperties,
  required,
  propertyNames(compiling, schema: unknown) {
    if (compiling.allowsAll(schema)) return undefined
    const { step } = compiling.inner(schema, { isComposite: true })
    const report = reporter(compiling, 'propertyNames', 'property name must be valid')
    return (data, place, frame) => {
      const keys = Object.keys(data)
      spend(frame, keys.length)
      for (const name of keys) {
        if (!fits(step, name, place, frame)) report(data, place, frame)
      }
    }
  },
  additionalProperties,
  dependencies(compiling, dependencies: Schema) {
    const names = namesOf(dependencies)
    const isList = (name: string): boolean => Array.isArray(dependencies[name])
    const steps = [
      ...names.filter(isList).flatMap((name) => requiredWith(compiling, 'dependencies', dependencies, name)),
      ...names.filter((name) => !isList(name)).flatMap((name) => schemaWith(compiling, dependencies, name)),
    ]
    return inTurn(compiling, steps)
  },
  properties(compiling, properties: Schema) {
    const names = namesOf(properties)
    const props = Object.fromEntries(names.map((name) => [name, true as const]))
    const merge = names.length > 0 ? mergeInner(compiling, { props, items: undefined }, 'always') : undefined
    return withNames(compiling, merge, wordsForObjects.properties(compiling, properties))
  },
  patternProperties(compiling, patterns: Schema) {
    const sources = namesOf(patterns)
    if (
      sources.length === 0 ||
      (compiling.props === true && sources.every((each) => compiling.allowsAll(patterns[each])))
    )
      return undefined
    const notes = noteNames(compiling)
    const regexes = sources.map((source) => patternOf(compiling, source))
    const step = wordsForObjects.patternProperties(compiling, patterns)
    if (notes === undefined) return step
    const note: Step<Schema> = (data, _place, frame) => {
      const { slots } = frame
      const keys = Object.keys(data)
      spend(frame, keys.length * regexes.length)
      notes.begin(slots)
      for (const name of keys) if (regexes.some((regex) => regex.test(name, frame))) notes.add(slots, name)
    }
    return inTurn(compiling, step ? [note, step] : [note])
  },
  dependentRequired(compiling, dependencies: Schema) {
    return inTurn(
      compiling,
      namesOf(dependencies).flatMap((name) => requiredWith(compiling, 'dependentRequired', dependencies, name)),
    )
  },
  dependentSchemas(compiling, dependencies: Schema) {
    return inTurn(
      compiling,
      namesOf(dependencies).flatMap((name) => schemaWith(compiling, dependencies, name)),
    )
  },
  unevaluatedProperties(compiling, schema: unknown) {
    const known = compiling.props
    compiling.props = true
    if (known === true || compiling.allowsAll(schema)) return undefined
    const { step } = compiling.inner(schema)
    const report = reporter(compiling, 'unevaluatedProperties', 'must NOT have unevaluated properties')
    return (data, place, frame) => {
      const evaluated = known instanceof Slot ? frame.slots.known[known.index] : known
      if (evaluated === true) return
      const names: Schema = typeof evaluated === 'object' ? evaluated : {}
      const keys = Object.keys(data)
      spend(frame, keys.length)
      for (const name of keys) {
        if (Object.hasOwn(names, name)) continue
        if (schema === false) report(data, place, frame, name)
        else step(data[name], { above: place, key: name }, frame)
      }
    }
  },
} satisfies Readonly<Record<string, Word<never, Schema>>>

/** Demands members that must be there when another one is. */
function requiredWith(compiling: Compiling, word: string, dependencies: Schema, name: string): readonly Step<Schema>[] {
  const wanted = dependencies[name] as readonly string[]
  if (wanted.length === 0) return []
  const noun = wanted.length === 1 ? 'property' : 'properties'
  const report = reporter(compiling, word, `must have ${noun} ${wanted.join(', ')} when property ${name} is present`)
  return [
    (data, place, frame) => {
      if (ownMember(data, name) === undefined) return
      spend(frame, wanted.length)
      for (const each of wanted) if (ownMember(data, each) === undefined) report(data, place, frame)
    },
  ]
}

/** Demands a schema of the object when a member is there. */
function schemaWith(compiling: Compiling, dependencies: Schema, name: string): readonly Step<Schema>[] {
  if (compiling.allowsAll(dependencies[name])) return []
  const inner = compiling.inner(dependencies[name])
  const merge = mergeInner(compiling, inner, 'for some values')
  return [
    (data, place, frame) => {
      if (ownMember(data, name) !== undefined && fits(inner.step, data, place, frame)) merge(frame.slots)
    },
  ]
}

/** Does what evaluated names need before the members are checked. */
function withNames(
  compiling: Compiling,
  merge: ((slots: Slots) => void) | undefined,
  step: Step<Schema> | undefined,
): Step<Schema> | undefined {
  if (merge === undefined) return step
  const note: Step<Schema> = (_data, _place, { slots }) => merge(slots)
  return inTurn(compiling, step ? [note, step] : [note])
}

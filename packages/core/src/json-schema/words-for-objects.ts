import { type Compiling, fits, mergeInner, newSlot, pathOf, reporter, type Schema, type Step } from './compiling.ts'
import { mergeEvaluated, Slot } from './evaluated.ts'
import { inside, inTurn, type Word } from './words-for-any.ts'

function count(word: string, quantity: string, isMet: (size: number, limit: number) => boolean): Word<number, Schema> {
  return (compiling, wanted) => {
    const report = reporter(compiling, word, `must NOT have ${quantity} than ${wanted} properties`)
    return (data, place, frame) => isMet(Object.keys(data).length, wanted) || report(data, place, frame)
  }
}

/** Words about objects, in the order in which their problems are reported. */
export const wordsForObjects: Readonly<Record<string, Word<never, Schema>>> = {
  maxProperties: count('maxProperties', 'more', (size, wanted) => size <= wanted),
  minProperties: count('minProperties', 'fewer', (size, wanted) => size >= wanted),
  required(compiling, names: readonly string[]) {
    const members = names.map((name) => ({
      name,
      report: reporter(compiling, 'required', `must have required property '${name}'`),
    }))
    return (data, place, frame) => {
      for (const { name, report } of members) if (data[name] === undefined) report(data, place, frame, name)
    }
  },
  propertyNames(compiling, schema: unknown) {
    if (compiling.allowsAll(schema)) return undefined
    const { step } = inside(compiling, 'propertyNames', schema, { isComposite: true })
    const report = reporter(compiling, 'propertyNames', 'property name must be valid')
    return (data, place, frame) => {
      for (const name of Object.keys(data)) {
        if (fits(step, name, place, frame)) continue
        report(data, place, frame)
        if (compiling.stopsAtFirst) return
      }
    }
  },
  additionalProperties(compiling, schema: unknown) {
    compiling.props = true
    if (compiling.allowsAll(schema)) return undefined
    const names = new Set(namesOf(compiling.schema['properties']))
    const patterns = namesOf(compiling.schema['patternProperties']).map(compiling.dialect.pattern)
    const report = reporter(compiling, 'additionalProperties', 'must NOT have additional properties')
    const { step } = inside(compiling, 'additionalProperties', schema)
    return (data, place, frame) => {
      for (const name of Object.keys(data)) {
        if (names.has(name) || patterns.some((pattern) => pattern.test(name))) continue
        if (schema === false) report(data, place, frame, name)
        else if (fits(step, data[name], { above: place, key: name }, frame)) continue
        if (compiling.stopsAtFirst) return
      }
    }
  },
  dependencies(compiling, dependencies: Schema) {
    const names = namesOf(dependencies)
    const isList = (name: string): boolean => Array.isArray(dependencies[name])
    const steps = [
      ...names.filter(isList).flatMap((name) => requiredWith(compiling, 'dependencies', dependencies, name)),
      ...names
        .filter((name) => !isList(name))
        .flatMap((name) => schemaWith(compiling, 'dependencies', dependencies, name)),
    ]
    return inTurn(compiling, steps)
  },
  properties(compiling, properties: Schema) {
    const names = namesOf(properties)
    const mergeNames =
      names.length > 0
        ? mergeInner(
            compiling,
            { props: Object.fromEntries(names.map((name) => [name, true])), items: undefined },
            'always',
          )
        : undefined
    const isFilled = (schema: unknown): boolean =>
      compiling.dialect.fillsDefaults === true && !compiling.isComposite && Object(schema).default !== undefined
    const steps = names.flatMap((name): Step<Schema>[] => {
      const schema = properties[name]
      if (compiling.allowsAll(schema)) return []
      const { step } = inside(compiling, `properties/${pathOf(name)}`, schema)
      const isAlways = isFilled(schema)
      return [
        (data, place, frame) => {
          if (isAlways || data[name] !== undefined) step(data[name], { above: place, key: name }, frame)
        },
      ]
    })
    return inTurn(compiling, [...(mergeNames ? [afterwards(mergeNames)] : []), ...steps])
  },
  patternProperties(compiling, patterns: Schema) {
    const sources = namesOf(patterns)
    if (sources.length === 0) return undefined
    if (compiling.props === true && sources.every((source) => compiling.allowsAll(patterns[source]))) return undefined
    const evaluated = compiling.props === true ? undefined : evaluatedSlot(compiling)
    const steps = sources.map((source): Step<Schema> => {
      const pattern = compiling.dialect.pattern(source)
      const inner = inside(compiling, `patternProperties/${pathOf(source)}`, patterns[source])
      return (data, place, frame) => {
        for (const name of Object.keys(data)) {
          if (!pattern.test(name)) continue
          const isValid = fits(inner.step, data[name], { above: place, key: name }, frame)
          if (evaluated) {
            const known = frame.slots[evaluated.slot.index]
            if (typeof known === 'object') Object.assign(known, { [name]: true })
          } else if (!isValid && compiling.stopsAtFirst) return
        }
      }
    })
    return inTurn(compiling, [...(evaluated ? [afterwards(evaluated.run)] : []), ...steps])
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
      namesOf(dependencies).flatMap((name) => schemaWith(compiling, 'dependentSchemas', dependencies, name)),
    )
  },
  unevaluatedProperties(compiling, schema: unknown) {
    const known = compiling.props
    compiling.props = true
    if (known === true || compiling.allowsAll(schema)) return undefined
    const { step } = inside(compiling, 'unevaluatedProperties', schema)
    const report = reporter(compiling, 'unevaluatedProperties', 'must NOT have unevaluated properties')
    return (data, place, frame) => {
      const evaluated = known instanceof Slot ? frame.slots[known.index] : known
      if (evaluated === true) return
      const names: Schema = typeof evaluated === 'object' ? evaluated : {}
      for (const name of Object.keys(data)) {
        // As in ajv, names that every object has count as evaluated where it depends on the value what is.
        if (known instanceof Slot ? evaluated !== undefined && names[name] : Object.hasOwn(names, name)) continue
        if (schema === false) report(data, place, frame, name)
        else if (fits(step, data[name], { above: place, key: name }, frame)) continue
        if (compiling.stopsAtFirst) return
      }
    }
  },
}

/** Names of a map of schemas. */
function namesOf(map: unknown): readonly string[] {
  return Object.keys(Object(map)).filter((name) => name !== '__proto__')
}

function afterwards(run: (slots: Parameters<Step>[2]['slots']) => void): Step<Schema> {
  return (_data, _place, { slots }) => run(slots)
}

/** Keeps the evaluated names in a slot from here on. */
function evaluatedSlot(compiling: Compiling) {
  const { props } = compiling
  if (props instanceof Slot) return { slot: props, run: () => {} }
  const slot = newSlot(compiling.unit)
  compiling.props = slot
  const names = typeof props === 'object' ? props : {}
  const { run } = mergeEvaluated(names, undefined, () => slot)
  return { slot, run }
}

/** Demands members that must be there when another one is. */
function requiredWith(compiling: Compiling, word: string, dependencies: Schema, name: string): readonly Step<Schema>[] {
  const wanted = dependencies[name] as readonly string[]
  if (wanted.length === 0) return []
  const noun = wanted.length === 1 ? 'property' : 'properties'
  const report = reporter(compiling, word, `must have ${noun} ${wanted.join(', ')} when property ${name} is present`)
  return [
    (data, place, frame) => {
      if (data[name] === undefined) return
      for (const each of wanted) if (data[each] === undefined) report(data, place, frame)
    },
  ]
}

/** Demands a schema of the object when a member is there. */
function schemaWith(compiling: Compiling, word: string, dependencies: Schema, name: string): readonly Step<Schema>[] {
  if (compiling.allowsAll(dependencies[name])) return []
  const inner = inside(compiling, `${word}/${pathOf(name)}`, dependencies[name])
  const merge = mergeInner(compiling, inner, 'for some values')
  return [
    (data, place, frame) => {
      if (data[name] !== undefined && fits(inner.step, data, place, frame)) merge(frame.slots)
    },
  ]
}

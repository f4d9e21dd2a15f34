import { mergeInner, reporter, type Schema, type Step, type Word } from './compiling.ts'
import { inTurn } from './words-for-any.ts'

function count(word: string, quantity: string, isMet: (size: number, limit: number) => boolean): Word<number, Schema> {
  return (compiling, wanted) => {
    const report = reporter(compiling, word, `must NOT have ${quantity} than ${wanted} properties`)
    return (data, place, frame) => isMet(Object.keys(data).length, wanted) || report(data, place, frame)
  }
}

/** Words about objects, in the order in which their problems are reported. */
export const wordsForObjects = {
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
  additionalProperties(compiling, schema: unknown) {
    compiling.props = true
    if (compiling.allowsAll(schema)) return undefined
    const names = new Set(namesOf(compiling.schema['properties']))
    const patterns = namesOf(compiling.schema['patternProperties']).map(compiling.vocabulary.dialect.pattern)
    const report = reporter(compiling, 'additionalProperties', 'must NOT have additional properties')
    const { step } = compiling.inner(schema)
    return (data, place, frame) => {
      for (const name of Object.keys(data)) {
        if (names.has(name) || patterns.some((pattern) => pattern.test(name))) continue
        if (schema === false) report(data, place, frame, name)
        else step(data[name], { above: place, key: name }, frame)
      }
    }
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
      compiling.vocabulary.dialect.fillsDefaults === true &&
      !compiling.isComposite &&
      Object(schema).default !== undefined
    const steps = names.flatMap((name): Step<Schema>[] => {
      const schema = properties[name]
      if (compiling.allowsAll(schema)) return []
      const { step } = compiling.inner(schema)
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
    const notes = compiling.vocabulary.more?.noteNames(compiling)
    const steps = sources.map((source): Step<Schema> => {
      const pattern = compiling.vocabulary.dialect.pattern(source)
      const inner = compiling.inner(patterns[source])
      return (data, place, frame) => {
        for (const name of Object.keys(data)) {
          if (!pattern.test(name)) continue
          inner.step(data[name], { above: place, key: name }, frame)
          notes?.add(frame.slots, name)
        }
      }
    })
    return inTurn(compiling, [...(notes ? [afterwards(notes.begin)] : []), ...steps])
  },
} satisfies Readonly<Record<string, Word<never, Schema>>>

/** Names of a map of schemas. */
export function namesOf(map: unknown): readonly string[] {
  return Object.keys(Object(map)).filter((name) => name !== '__proto__')
}

function afterwards(run: (slots: Parameters<Step>[2]['slots']) => void): Step<Schema> {
  return (_data, _place, { slots }) => run(slots)
}

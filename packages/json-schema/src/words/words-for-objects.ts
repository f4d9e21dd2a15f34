import { sizeLimit } from '../bounds/size-limit.ts'
import { spend } from '../bounds/steps.ts'
import { reporter, type Schema, type Step, type Word } from '../compiling.ts'
import { ownMember } from './own-member.ts'
import { patternOf } from './patterns.ts'
import { inTurn } from './words-for-any.ts'

/** Steps that it takes to compile a name that must be there. */
const stepsPerName = 5

const sizeOf = (data: Schema): number => Object.keys(data).length

/** Words about objects, in the order in which their problems are reported. */
export const wordsForObjects = {
  maxProperties: sizeLimit('maxProperties', 'properties', sizeOf),
  minProperties: sizeLimit('minProperties', 'properties', sizeOf),
  required(compiling, names: readonly string[]) {
    spend(compiling.unit.root.costs, names.length * stepsPerName)
    const members = names.map((name) => ({
      name,
      report: reporter(compiling, 'required', `must have required property '${name}'`),
    }))
    return (data, place, frame) => {
      spend(frame, members.length)
      for (const { name, report } of members) if (ownMember(data, name) === undefined) report(data, place, frame, name)
    }
  },
  additionalProperties(compiling, schema: unknown) {
    compiling.props = true
    if (compiling.allowsAll(schema)) return undefined
    const names = new Set(namesOf(compiling.schema['properties']))
    const patterns = namesOf(compiling.schema['patternProperties']).map((source) => patternOf(compiling, source))
    const report = reporter(compiling, 'additionalProperties', 'must NOT have additional properties')
    const { step } = compiling.inner(schema)
    return (data, place, frame) => {
      const keys = Object.keys(data)
      spend(frame, keys.length * (1 + patterns.length))
      for (const name of keys) {
        if (names.has(name) || patterns.some((pattern) => pattern.test(name, frame))) continue
        if (schema === false) report(data, place, frame, name)
        else step(data[name], { above: place, key: name }, frame)
      }
    }
  },
  properties(compiling, properties: Schema) {
    const steps = namesOf(properties).flatMap((name): Step<Schema>[] => {
      if (compiling.allowsAll(properties[name])) return []
      const { step } = compiling.inner(properties[name])
      return [
        (data, place, frame) => {
          const member = ownMember(data, name)
          if (member !== undefined) step(member, { above: place, key: name }, frame)
        },
      ]
    })
    return inTurn(compiling, steps)
  },
  patternProperties(compiling, patterns: Schema) {
    const steps = namesOf(patterns).map((source): Step<Schema> => {
      const pattern = patternOf(compiling, source)
      const { step } = compiling.inner(patterns[source])
      return (data, place, frame) => {
        const keys = Object.keys(data)
        spend(frame, keys.length)
        for (const name of keys) if (pattern.test(name, frame)) step(data[name], { above: place, key: name }, frame)
      }
    })
    return inTurn(compiling, steps)
  },
} satisfies Readonly<Record<string, Word<never, Schema>>>

/** Names of a map of schemas. */
export function namesOf(map: unknown): readonly string[] {
  return Object.keys(Object(map)).filter((name) => name !== '__proto__')
}

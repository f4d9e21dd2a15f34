import { spend } from './bounds/steps.ts'
import {
  type Compiling,
  type Group,
  type Inner,
  type ListedGroup,
  type Mode,
  reporter,
  type Schema,
  type Step,
  type Unit,
  type Vocabulary,
  type Word,
} from './compiling.ts'
import type { Dialect } from './dialect.ts'
import { typeChecks, typesOf } from './type-checks.ts'
import { inTurn } from './words/words-for-any.ts'

/** Returns the words of a dialect: those of JSON Schema, and its own. */
export function createVocabulary(dialect: Dialect, groups: readonly Group[], more?: Vocabulary['more']): Vocabulary {
  const own = Object.entries(dialect.conditions ?? {}).map(([word, isMet]): [string, Word<unknown, unknown>] => [
    word,
    (compiling, wanted) => {
      const report = reporter(compiling, word, `must pass "${word}" keyword validation`)
      return (data, place, frame) => isMet(wanted, data) || report(data, place, frame)
    },
  ])
  const all = groups.map((group): ListedGroup => {
    const { type, words } =
      group.type === undefined ? { type: undefined, words: { ...group.words, ...Object.fromEntries(own) } } : group
    return { words, list: Object.entries(words), type }
  })
  const words = new Set(all.flatMap(({ words }) => Object.keys(words)))
  return { dialect, groups: all, words, more }
}

interface Around {
  readonly vocabulary: Vocabulary
  readonly unit: Unit
  readonly baseId: string
}

const strictly: Mode = { isComposite: false, stopsAtFirst: false, keepsPlaces: false }
const nothing: Inner = { step: () => {}, props: undefined, items: undefined }

/** Steps that it takes to compile a schema, beside those in it. */
const stepsPerSchema = 50

/** Compiles a schema, with all that are in it. */
export function compileSchema(around: Around, schema: unknown, mode = strictly): Inner {
  const { vocabulary } = around
  spend(around.unit.root.costs, stepsPerSchema)
  const allowsAll = (inner: unknown): boolean =>
    typeof inner === 'boolean' ? inner : !Object.keys(Object(inner)).some((word) => vocabulary.words.has(word))
  if (schema === false)
    return {
      ...nothing,
      step: reporter({ schema, ...mode }, 'false schema', 'boolean schema is false'),
    }
  refuseUnknownWords(vocabulary, schema)
  if (allowsAll(schema)) return nothing
  const own = schema as Schema
  const baseId =
    schema === around.unit.schema ? around.baseId : (vocabulary.more?.baseOf(around.baseId, own) ?? around.baseId)
  const compiling: Compiling = {
    schema: own,
    ...mode,
    baseId,
    unit: around.unit,
    vocabulary,
    props: undefined,
    items: undefined,
    allowsAll,
    inner: (inner, more) => compileSchema({ ...around, baseId }, inner, { ...mode, ...more }),
  }
  const step = compileWords(compiling, vocabulary)
  return { step, props: compiling.props, items: compiling.items }
}

function compileWords(compiling: Compiling, { groups, more }: Vocabulary): Step {
  const { schema } = compiling
  const types = (more?.typesOf ?? typesOf)(schema)
  const isUsed = ({ list }: ListedGroup): boolean => list.some(([word]) => schema[word] !== undefined)
  const hasType = (data: unknown): boolean => types.some((type) => typeChecks[type]?.(data))
  // ajv names the null of `nullable` among several types, and not beside a single one.
  const demanded = Array.isArray(schema['type']) ? types.join(',') : schema['type']
  const reportType = reporter(compiling, 'type', `must be ${demanded}`)
  // A wrong type is reported where its own words would be, if there are any.
  const used = groups.filter(isUsed)
  const place = types.length === 1 ? used.find((group) => group.type === types[0]) : undefined
  const steps = used.flatMap((group): Step[] => {
    const words = compileGroup(compiling, group)
    const { type } = group
    if (type === undefined) return words ? [words] : []
    const isOfGroup = typeChecks[type] ?? (() => false)
    return [
      (data, at, frame) => {
        if (isOfGroup(data)) words?.(data, at, frame)
        else if (group === place) reportType(data, at, frame)
      },
    ]
  })
  const all = inTurn(compiling, steps)
  if (types.length === 0 || place !== undefined)
    return (data, at, frame) => {
      spend(frame, 1)
      all?.(data, at, frame)
    }
  return (data, at, frame) => {
    spend(frame, 1)
    if (!hasType(data)) reportType(data, at, frame)
    all?.(data, at, frame)
  }
}

function compileGroup(compiling: Compiling, { type, list }: ListedGroup): Step | undefined {
  const { schema, isComposite } = compiling
  const steps: Step[] = []
  for (const [word, compile] of list) {
    const step = schema[word] === undefined ? undefined : compile(compiling, schema[word] as never)
    if (step) steps.push(step as Step)
  }
  const all = inTurn(compiling, steps)
  if (type !== 'object' || compiling.vocabulary.dialect.fillsDefaults !== true || isComposite) return all
  const defaults = Object.entries<Schema>(Object(schema['properties'])).flatMap(([name, member]) =>
    Object(member)['default'] === undefined ? [] : [{ name, value: member['default'] }],
  )
  return (data, place, frame) => {
    const members = data as Record<string, unknown>
    for (const { name, value } of defaults) if (members[name] === undefined) members[name] = structuredClone(value)
    all?.(data, place, frame)
  }
}

const descriptions = '$schema $id $comment title description default examples deprecated'

function refuseUnknownWords({ dialect, words }: Vocabulary, schema: unknown): void {
  if (dialect.annotations === undefined) return
  const described = new Set([...descriptions.split(' '), ...dialect.annotations])
  for (const word of Object.keys(Object(schema)))
    if (!words.has(word) && !described.has(word)) throw new Error(`strict mode: unknown keyword: "${word}"`)
}

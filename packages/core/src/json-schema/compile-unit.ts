import {
  type Compiling,
  type Frame,
  type Inner,
  type Place,
  type Root,
  reporter,
  type Schema,
  type Step,
  type Unit,
} from './compiling.ts'
import type { Dialect } from './dialect.ts'
import { type Evaluated, Slot } from './evaluated.ts'
import { type Addresses, addressOf, findTarget } from './find-target.ts'
import { typeChecks, typesOf } from './schema-types.ts'
import { inTurn, type Word, wordsForAny } from './words-for-any.ts'
import { wordsForLists } from './words-for-lists.ts'
import { wordsForNumbers } from './words-for-numbers.ts'
import { wordsForObjects } from './words-for-objects.ts'
import { wordsForTexts } from './words-for-texts.ts'

/** Words about values of one type, or of any, by the order in which they are checked. */
interface Group {
  readonly type?: string
  readonly words: Readonly<Record<string, Word>>
}

export interface Vocabulary {
  readonly dialect: Dialect
  readonly groups: readonly Group[]
  /** All words that demand something. */
  readonly words: ReadonlySet<string>
}

const newWords = [
  ...[
    '$dynamicAnchor',
    '$dynamicRef',
    '$recursiveAnchor',
    '$recursiveRef',
    'prefixItems',
    'minContains',
    'maxContains',
  ],
  ...['dependentRequired', 'dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties'],
]
const oldWords = ['additionalItems']

/** Returns the words of a dialect. */
export function createVocabulary(dialect: Dialect): Vocabulary {
  const foreign = new Set(dialect.draft === 2020 ? oldWords : newWords)
  const own = Object.entries(dialect.conditions ?? {}).map(([word, isMet]): [string, Word<unknown, unknown>] => [
    word,
    (compiling, wanted) => {
      const report = reporter(compiling, word, `must pass "${word}" keyword validation`)
      return (data, place, frame) => isMet(wanted, data) || report(data, place, frame)
    },
  ])
  const known = (words: Readonly<Record<string, Word>>): Readonly<Record<string, Word>> =>
    Object.fromEntries(Object.entries(words).filter(([word]) => !foreign.has(word)))
  const groups = [
    { words: known({ ...wordsForAny, ...Object.fromEntries(own) }) },
    { type: 'number', words: known(wordsForNumbers) },
    { type: 'string', words: known(wordsForTexts) },
    { type: 'array', words: known(wordsForLists) },
    { type: 'object', words: known(wordsForObjects) },
  ]
  return { dialect, groups, words: new Set(groups.flatMap(({ words }) => Object.keys(words))) }
}

/** Compiles a schema to a unit. References to it find it while it is being compiled. */
export function compileUnit(
  vocabulary: Vocabulary,
  addresses: Addresses,
  root: Root,
  schema: unknown,
  baseId: string,
): Unit {
  const known = root.units.get(schema)
  if (known) return known
  const unit: Unit = { schema, baseId, root, slotCount: 0 }
  root.units.set(schema, unit)
  try {
    const { step, props, items } = compileInner({ vocabulary, addresses, unit, baseId }, schema, '#', {})
    finish(unit, step, props, items)
  } catch (error) {
    root.units.delete(schema)
    throw error
  }
  return unit
}

function finish(unit: Unit, step: Step, props: Evaluated, items: Evaluated): void {
  const evaluated = {
    props: props instanceof Slot ? undefined : props,
    items: items instanceof Slot ? undefined : items,
    hasDynamicProps: props instanceof Slot,
    hasDynamicItems: items instanceof Slot,
  }
  unit.evaluated = evaluated
  unit.step = (data, place, { problems, anchors }) => {
    const slots = Array.from<undefined>({ length: unit.slotCount })
    if (evaluated.hasDynamicProps) evaluated.props = undefined
    if (evaluated.hasDynamicItems) evaluated.items = undefined
    const frame: Frame = { problems, anchors, slots }
    step(data, place, frame)
    if (props instanceof Slot) evaluated.props = frame.slots[props.index]
    if (items instanceof Slot) evaluated.items = frame.slots[items.index]
  }
}

interface Around {
  readonly vocabulary: Vocabulary
  readonly addresses: Addresses
  readonly unit: Unit
  readonly baseId: string
}

interface Mode {
  readonly isComposite?: boolean
  readonly stopsAtFirst?: boolean
}

const nothing: Inner = { step: () => {}, props: undefined, items: undefined }

function compileInner(around: Around, schema: unknown, schemaPath: string, mode: Mode): Inner {
  const { vocabulary } = around
  const allowsAll = (inner: unknown): boolean =>
    typeof inner === 'boolean' ? inner : !Object.keys(Object(inner)).some((word) => vocabulary.words.has(word))
  if (schema === false) {
    const message = 'boolean schema is false'
    return { ...nothing, step: (data, place, frame) => falseProblem(data, place, frame, schemaPath, message) }
  }
  refuseUnknownWords(vocabulary, schema)
  if (allowsAll(schema)) return nothing
  const own = schema as Schema
  const baseId =
    typeof own['$id'] === 'string' && schemaPath !== '#' ? addressOf(around.baseId, own['$id']) : around.baseId
  const compiling: Compiling = {
    schema: own,
    schemaPath,
    baseId,
    unit: around.unit,
    dialect: vocabulary.dialect,
    stopsAtFirst: mode.stopsAtFirst ?? false,
    isComposite: mode.isComposite ?? false,
    props: undefined,
    items: undefined,
    allowsAll,
    inner: (inner, path, more = {}) => compileInner({ ...around, baseId }, inner, path, { ...mode, ...more }),
    unitOf: (inner) => compileUnit(vocabulary, around.addresses, around.unit.root, inner, around.unit.root.baseId),
    refer: (ref) => refer({ ...around, baseId }, ref),
  }
  const step = compileWords(compiling, vocabulary)
  return { step, props: compiling.props, items: compiling.items }
}

function falseProblem(
  data: unknown,
  place: Place | undefined,
  frame: Frame,
  schemaPath: string,
  message: string,
): void {
  reporter({ schema: false as unknown as Schema, schemaPath } as Compiling, 'false schema', message)(data, place, frame)
}

function compileWords(compiling: Compiling, { groups }: Vocabulary): Step {
  const { schema } = compiling
  const types = typesOf(schema)
  const isUsed = ({ words }: Group): boolean => Object.keys(words).some((word) => schema[word] !== undefined)
  const hasType = (data: unknown): boolean => types.some((type) => typeChecks[type]?.(data))
  const reportType = reporter(compiling, 'type', `must be ${schema['type']}`)
  // A wrong type is reported where its own words would be, if there are any.
  const place = types.length === 1 ? groups.find((group) => group.type === types[0] && isUsed(group)) : undefined
  const steps = groups.filter(isUsed).flatMap((group): Step[] => {
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
  if (types.length === 0 || place !== undefined) return all ?? nothing.step
  return (data, at, frame) => {
    if (!hasType(data)) reportType(data, at, frame)
    all?.(data, at, frame)
  }
}

function compileGroup(compiling: Compiling, { type, words }: Group): Step | undefined {
  const { schema, dialect, isComposite } = compiling
  const steps = Object.entries(words).flatMap(([word, compile]) => {
    const step = schema[word] === undefined ? undefined : compile(compiling, schema[word] as never)
    return step ? [step as Step] : []
  })
  const all = inTurn(compiling, steps)
  if (type !== 'object' || dialect.fillsDefaults !== true || isComposite) return all
  const defaults = Object.entries<Schema>(Object(schema['properties'])).flatMap(([name, member]) =>
    Object(member)['default'] === undefined ? [] : [{ name, value: member['default'] }],
  )
  return (data, place, frame) => {
    const members = data as Record<string, unknown>
    for (const { name, value } of defaults) if (members[name] === undefined) members[name] = structuredClone(value)
    all?.(data, place, frame)
  }
}

const referring = new Set(['$ref', '$recursiveRef', '$recursiveAnchor', '$dynamicRef', '$dynamicAnchor'])

function hasReference(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return Object.entries(schema).some(([word, inner]) => referring.has(word) || hasReference(inner))
}

function refer({ vocabulary, addresses, unit, baseId }: Around, ref: string): Unit | { readonly inline: unknown } {
  const { root } = unit
  const target =
    ref === '#' || ref === '#/'
      ? (findTarget(addresses, root, baseId, '') ?? { schema: root.schema, baseId: root.baseId, root })
      : findTarget(addresses, root, baseId, ref)
  if (target === undefined) throw new Error(`can't resolve reference ${ref} from id ${baseId || '#'}`)
  if (!hasReference(target.schema)) return { inline: target.schema }
  return compileUnit(vocabulary, addresses, target.root, target.schema, target.baseId)
}

const descriptions = ['$schema', '$id', '$defs', '$vocabulary', 'definitions', 'title', 'description', 'default']
const moreDescriptions = ['deprecated', 'readOnly', 'writeOnly', 'examples', '$anchor']

function refuseUnknownWords({ dialect, words }: Vocabulary, schema: unknown): void {
  if (dialect.annotations === undefined) return
  const described = new Set([...descriptions, ...moreDescriptions, ...dialect.annotations])
  for (const word of Object.keys(Object(schema)))
    if (!words.has(word) && !described.has(word)) throw new Error(`strict mode: unknown keyword: "${word}"`)
}

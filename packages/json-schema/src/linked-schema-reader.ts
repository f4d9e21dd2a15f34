import type { StepBudget } from './bounds/steps.ts'
import { createVocabulary } from './compile-schema.ts'
import { compileUnit, unitSupport } from './compile-unit.ts'
import type { Addresses, CompileCosts, Target, Vocabulary } from './compiling.ts'
import type { Dialect } from './dialect.ts'
import { type Draft, draftOf, drafts } from './drafts.ts'
import { addSchema, normalized } from './find-target.ts'
import { pointerOf } from './pointer-of.ts'
import type { SchemaCheck, SchemaProblem } from './schema-problem.ts'
import { compilePattern, patternsIn } from './words/patterns.ts'

/** Most words that the references of a schema copy, so that many references to a large one compile in linear time. */
const inlineWordsMax = 400

/** What schemas may cost while they are read. */
export interface ReadLimits {
  /** Steps that are left for all schemas of a reader. */
  readonly all: StepBudget
  /** Most steps between two places where the work can pause. */
  readonly partMax: number
}

/** Most places that the refusal of a schema names. */
const problemsMax = 50

const noLimits: ReadLimits = { all: { left: Number.POSITIVE_INFINITY }, partMax: Number.POSITIVE_INFINITY }

/** Work that can pause wherever it yields. */
export type Pausing<T> = Generator<undefined, T>

/**
 * Returns a function that compiles schemas of drafts 04 to 2020-12 as `createSchemaReader` does, with all their words. The
 * draft is that of `$schema`. The schemas can refer to each other by `$id`. Compiling throws the errors of ajv, and
 * SchemaStepsError beyond the limits.
 *
 * @param metaSchemas schemas of schemas, which name their draft. Always pass the same list: it is compiled once. Without it,
 * schemas are not checked.
 */
export function createLinkedSchemaReader(
  dialect: Dialect,
  metaSchemas: readonly object[] = [],
  limits = noLimits,
): (schema: unknown) => Pausing<SchemaCheck> {
  const vocabularyOf = vocabulariesOf(dialect)
  const costs = newCosts()
  const addresses: Addresses = new Map(metaAddressesOf(metaSchemas, dialect))
  const part = <T>(work: (budget: StepBudget) => T): T => {
    const { budget } = costs
    const most = Math.min(limits.partMax, limits.all.left)
    budget.left = most
    try {
      return work(budget)
    } finally {
      limits.all.left -= most - budget.left
    }
  }
  return function* (schema) {
    const { $schema } = Object(schema) as { readonly $schema?: unknown }
    if ($schema !== undefined && typeof $schema !== 'string') throw new Error('$schema must be a string')
    // A schema of the plan itself may be the one that `$schema` names.
    const own = typeof $schema === 'string' ? addresses.get(normalized($schema)) : undefined
    const draft = draftOf(schema)
    if (draft === undefined && own === undefined) throw new Error(unknownDraft($schema))
    const vocabulary = draft === undefined && own ? own.root.vocabulary : vocabularyOf(draft ?? newestDraft)
    const root = part(() => addSchema(addresses, schema, vocabulary, costs))
    yield
    if (metaSchemas.length > 0) {
      const meta = own ?? addresses.get(metaAddressOf(draft ?? newestDraft))
      const check = meta && checkOf(meta)
      yield
      part((budget) => refuseInvalid(check, budget, schema))
      yield
    }
    for (const source of part(() => patternsIn(schema, costs))) {
      part(() => compilePattern(dialect, source, costs))
      yield
    }
    costs.inlineWordsLeft = inlineWordsMax
    return part(() => checkOf({ schema, root, baseId: root.baseId }, dialect.stepsMax))
  }
}

function newCosts(): CompileCosts {
  return { budget: { left: Number.POSITIVE_INFINITY }, inlineWordsLeft: inlineWordsMax, patterns: new Map() }
}

const [newestDraft] = drafts as readonly [Draft, ...Draft[]]

function unknownDraft($schema: unknown): string {
  const known = drafts.map(({ address }) => address).join(', ')
  return `the $schema "${String($schema)}" names no known draft of JSON Schema; use one of ${known}, or leave it out`
}

/** Draft-06 is a part of draft-07, whose words its schemas may use, too. */
function metaAddressOf({ address }: Draft): string {
  return address.replace('draft-06', 'draft-07')
}

function vocabulariesOf(dialect: Dialect): (draft: Draft) => Vocabulary {
  const known = new Map<Draft, Vocabulary>()
  return (draft) => {
    const found = known.get(draft) ?? createVocabulary(dialect, draft.groups, unitSupport(draft.idWord))
    known.set(draft, found)
    return found
  }
}

const known = new WeakMap<readonly object[], Addresses>()

/** As in ajv, formats in schemas of schemas are not checked: a wrong pattern is reported better where it is compiled. */
function metaAddressesOf(metaSchemas: readonly object[], { compilePattern }: Dialect): Addresses {
  const found = known.get(metaSchemas)
  if (found) return found
  const vocabularyOf = vocabulariesOf({ compilePattern })
  const addresses: Addresses = new Map()
  const costs = newCosts()
  for (const schema of metaSchemas) addSchema(addresses, schema, vocabularyOf(draftOf(schema) ?? newestDraft), costs)
  known.set(metaSchemas, addresses)
  return addresses
}

function checkOf({ schema, root, baseId }: Target, stepsMax = Number.POSITIVE_INFINITY): SchemaCheck {
  const unit = compileUnit(root, schema, baseId)
  return (data, budget = { left: stepsMax }) => {
    const problems: SchemaProblem[] = []
    unit.step?.(data, undefined, { problems, slots: { known: [], budget }, anchors: new Map(), budget })
    return problems
  }
}

function refuseInvalid(check: SchemaCheck | undefined, budget: StepBudget, schema: unknown): void {
  if (check === undefined || typeof schema === 'boolean') return
  const problems = check(schema, budget)
  if (problems.length === 0) return
  const texts = problems.slice(0, problemsMax).map(({ at, message }) => `data${pointerOf(at)} ${message}`)
  throw new Error(`schema is invalid: ${texts.join(', ')}${problems.length > problemsMax ? ', …' : ''}`)
}

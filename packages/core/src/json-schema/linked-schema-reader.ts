import { createVocabulary } from './compile-schema.ts'
import { compileUnit, unitSupport } from './compile-unit.ts'
import type { Addresses, CompileCosts, Target, Vocabulary } from './compiling.ts'
import type { Dialect } from './dialect.ts'
import { type Draft, draftOf, drafts } from './drafts.ts'
import { addSchema, normalized } from './find-target.ts'
import { pointerOf } from './pointer-of.ts'
import type { SchemaCheck, SchemaProblem } from './schema-problem.ts'

/** Most steps in which names are copied while the schemas of a reader are compiled: some 0.3 s. */
const compileStepsMax = 300_000
/**
 * Most words that the references of its schemas copy, so that many references to a large schema compile in linear time.
 */
const inlineWordsMax = 50_000

const newCosts = (): CompileCosts => ({ budget: { left: compileStepsMax }, inlineWordsLeft: inlineWordsMax })

/** Most steps in which a schema is checked against that of schemas, where the dialect has a limit: some 50,000 words. */
const metaStepsMax = 2_000_000

/**
 * Returns a function that compiles schemas of drafts 04 to 2020-12 as `createSchemaReader` does, with all their words. The
 * draft is that of `$schema`. The schemas can refer to each other by `$id`. Compiling throws the errors of ajv.
 *
 * @param metaSchemas schemas of schemas, which name their draft. Always pass the same list: it is compiled once. Without it,
 * schemas are not checked.
 */
export function createLinkedSchemaReader(
  dialect: Dialect,
  metaSchemas: readonly object[] = [],
): (schema: unknown) => SchemaCheck {
  const vocabularyOf = vocabulariesOf(dialect)
  const costs = newCosts()
  const addresses: Addresses = new Map(metaAddressesOf(metaSchemas, dialect))
  return (schema) => {
    const { $schema } = Object(schema) as { readonly $schema?: unknown }
    if ($schema !== undefined && typeof $schema !== 'string') throw new Error('$schema must be a string')
    // A schema of the plan itself may be the one that `$schema` names.
    const own = typeof $schema === 'string' ? addresses.get(normalized($schema)) : undefined
    const draft = draftOf(schema)
    if (draft === undefined && own === undefined) throw new Error(unknownDraft($schema))
    const vocabulary = draft === undefined && own ? own.root.vocabulary : vocabularyOf(draft ?? newestDraft)
    const root = addSchema(addresses, schema, vocabulary, costs)
    if (metaSchemas.length > 0)
      refuseInvalid(own ?? addresses.get(metaAddressOf(draft ?? newestDraft)), dialect.stepsMax, schema)
    return checkOf({ schema, root, baseId: root.baseId }, dialect.stepsMax)
  }
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
function metaAddressesOf(metaSchemas: readonly object[], { compilePattern, stepsMax }: Dialect): Addresses {
  const found = known.get(metaSchemas)
  if (found) return found
  const vocabularyOf = vocabulariesOf({ compilePattern, ...(stepsMax === undefined ? {} : { stepsMax }) })
  const addresses: Addresses = new Map()
  const costs = newCosts()
  for (const schema of metaSchemas) addSchema(addresses, schema, vocabularyOf(draftOf(schema) ?? newestDraft), costs)
  known.set(metaSchemas, addresses)
  return addresses
}

function checkOf({ schema, root, baseId }: Target, stepsMax = Number.POSITIVE_INFINITY): SchemaCheck {
  const unit = compileUnit(root, schema, baseId)
  return (data) => {
    const problems: SchemaProblem[] = []
    const budget = { left: stepsMax }
    unit.step?.(data, undefined, { problems, slots: { known: [], budget }, anchors: new Map(), budget })
    return problems
  }
}

function refuseInvalid(meta: Target | undefined, stepsMax: number | undefined, schema: unknown): void {
  if (meta === undefined || typeof schema === 'boolean') return
  const problems = checkOf(meta, stepsMax && metaStepsMax)(schema)
  if (problems.length === 0) return
  const texts = problems.map(({ at, message }) => `data${pointerOf(at)} ${message}`)
  throw new Error(`schema is invalid: ${texts.join(', ')}`)
}

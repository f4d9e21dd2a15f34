import { createVocabulary } from './compile-schema.ts'
import { compileUnit, unitSupport } from './compile-unit.ts'
import type { Addresses, Target, Vocabulary, Word } from './compiling.ts'
import type { Dialect } from './dialect.ts'
import { addSchema, normalized } from './find-target.ts'
import { pointerOf } from './pointer-of.ts'
import type { SchemaCheck, SchemaProblem } from './schema-problem.ts'
import { wordsForAny } from './words-for-any.ts'
import { wordsForChoices } from './words-for-choices.ts'
import { wordsForItems } from './words-for-items.ts'
import { wordsForLists } from './words-for-lists.ts'
import { wordsForMembers } from './words-for-members.ts'
import { wordsForNumbers } from './words-for-numbers.ts'
import { wordsForReferences } from './words-for-references.ts'
import { wordsForTexts } from './words-for-texts.ts'

const { maxItems, minItems } = wordsForLists

/** Most steps in which a schema is checked against that of schemas, where the dialect has a limit: some 50,000 words. */
const metaStepsMax = 2_000_000

const nullable: Word<unknown, unknown> = (_, value) => {
  if (typeof value !== 'boolean') throw new Error('nullable value must be ["boolean"]')
  return undefined
}

const groups = [
  { words: { ...wordsForReferences, ...wordsForAny, ...wordsForChoices, nullable } },
  { type: 'number', words: wordsForNumbers },
  { type: 'string', words: wordsForTexts },
  { type: 'array', words: { maxItems, minItems, ...wordsForItems } },
  { type: 'object', words: wordsForMembers },
]

/**
 * Returns a function that compiles schemas of draft 2020-12 as `createSchemaReader` does, with all its words. The schemas
 * can refer to each other by `$id`. Compiling throws the errors of ajv.
 *
 * @param metaSchemas schemas of schemas; the first is the one for schemas without `$schema`. Always pass the same list:
 * it is compiled once. Without it, schemas are not checked.
 */
export function createLinkedSchemaReader(
  dialect: Dialect,
  metaSchemas: readonly object[] = [],
): (schema: unknown) => SchemaCheck {
  const vocabulary = createVocabulary(dialect, groups, unitSupport)
  const addresses: Addresses = new Map(metaAddressesOf(metaSchemas))
  const [defaultMeta] = addresses.keys()
  return (schema) => {
    const root = addSchema(addresses, schema)
    if (defaultMeta !== undefined) refuseInvalid(vocabulary, addresses, defaultMeta, schema)
    return checkOf(vocabulary, { schema, root, baseId: root.baseId }, dialect.stepsMax)
  }
}

const known = new WeakMap<readonly object[], Addresses>()

function metaAddressesOf(metaSchemas: readonly object[]): Addresses {
  const found = known.get(metaSchemas)
  if (found) return found
  const addresses: Addresses = new Map()
  for (const schema of metaSchemas) addSchema(addresses, schema)
  known.set(metaSchemas, addresses)
  return addresses
}

function checkOf(
  vocabulary: Vocabulary,
  { schema, root, baseId }: Target,
  stepsMax = Number.POSITIVE_INFINITY,
): SchemaCheck {
  const unit = compileUnit(vocabulary, root, schema, baseId)
  return (data) => {
    const problems: SchemaProblem[] = []
    const budget = { left: stepsMax }
    unit.step?.(data, undefined, { problems, slots: [], anchors: new Map(), budget })
    return problems
  }
}

function refuseInvalid(vocabulary: Vocabulary, addresses: Addresses, defaultMeta: string, schema: unknown): void {
  if (typeof schema === 'boolean') return
  const { $schema } = Object(schema) as { readonly $schema?: unknown }
  if ($schema !== undefined && typeof $schema !== 'string') throw new Error('$schema must be a string')
  const meta = addresses.get(normalized($schema || defaultMeta))
  if (meta === undefined) throw new Error(`no schema with key or ref "${$schema}"`)
  const problems = checkOf(vocabulary, meta, vocabulary.dialect.stepsMax && metaStepsMax)(schema)
  if (problems.length === 0) return
  const texts = problems.map(({ at, message }) => `data${pointerOf(at)} ${message}`)
  throw new Error(`schema is invalid: ${texts.join(', ')}`)
}

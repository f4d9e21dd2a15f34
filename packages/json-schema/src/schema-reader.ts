import { compileSchema, createVocabulary } from './compile-schema.ts'
import type { Root, Unit, Vocabulary } from './compiling.ts'
import type { Dialect } from './dialect.ts'
import type { SchemaCheck, SchemaProblem } from './schema-problem.ts'
import { wordsForAny } from './words/words-for-any.ts'
import { wordsForLists } from './words/words-for-lists.ts'
import { wordsForNumbers } from './words/words-for-numbers.ts'
import { wordsForObjects } from './words/words-for-objects.ts'
import { wordsForTexts } from './words/words-for-texts.ts'

const groups = [
  { words: wordsForAny },
  { type: 'number', words: wordsForNumbers },
  { type: 'string', words: wordsForTexts },
  { type: 'array', words: wordsForLists },
  { type: 'object', words: wordsForObjects },
]

/**
 * Returns a function that compiles schemas to checks without making code at run time, which pages with a strict policy and
 * Workers-like platforms forbid. It knows the common words of JSON Schema, without references to other schemas.
 *
 * The checks find what those of ajv find, with the same texts in the same order.
 */
export function createSchemaReader(dialect: Dialect): (schema: unknown) => SchemaCheck {
  const vocabulary = createVocabulary(dialect, groups)
  return (schema) => {
    const { step } = compileSchema({ vocabulary, unit: alone(vocabulary, schema), baseId: '' }, schema)
    return (data, budget = { left: dialect.stepsMax ?? Number.POSITIVE_INFINITY }) => {
      const problems: SchemaProblem[] = []
      step(data, undefined, { problems, slots: { known: [], budget }, anchors: new Map(), budget })
      return problems
    }
  }
}

/** A unit to which nothing refers. */
function alone(vocabulary: Vocabulary, schema: unknown): Unit {
  const root: Root = {
    schema,
    baseId: '',
    vocabulary,
    anchored: new Map(),
    dynamicAnchors: new Set(),
    units: new Map(),
    targets: new Map(),
    addresses: new Map(),
    costs: { budget: { left: Number.POSITIVE_INFINITY }, inlineWordsLeft: 0, patterns: new Map() },
  }
  return { schema, baseId: '', root, slotCount: 0 }
}

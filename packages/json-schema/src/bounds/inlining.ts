import type { Root, Target } from '../compiling.ts'
import { type Costs, spend } from './steps.ts'

const referring = new Set(['$ref', '$recursiveRef', '$recursiveAnchor', '$dynamicRef', '$dynamicAnchor'])

/** Number of words in a schema; Infinity when one of them leads to another schema. */
const wordCounts = new WeakMap<object, number>()

/**
 * Returns whether what a reference leads to is to be compiled in its place, as ajv does with schemas that have no references
 * themselves, and counts its words.
 */
export function isWorthInlining({ vocabulary, costs }: Root, { root, schema }: Target): boolean {
  // A schema of another draft has other words.
  if (root.vocabulary !== vocabulary) return false
  const words = wordCount(schema, costs)
  if (words > costs.inlineWordsLeft) return false
  costs.inlineWordsLeft -= words
  return true
}

function wordCount(schema: unknown, costs: Costs): number {
  spend(costs, 1)
  if (typeof schema !== 'object' || schema === null) return 1
  const known = wordCounts.get(schema)
  if (known !== undefined) return known
  let words = 1
  for (const [word, inner] of Object.entries(schema))
    words += referring.has(word) ? Number.POSITIVE_INFINITY : wordCount(inner, costs)
  wordCounts.set(schema, words)
  return words
}

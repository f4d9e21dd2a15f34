import type { Root, Target } from './compiling.ts'

/** Most words that the references of one whole schema copy, so that many references to a large schema compile in linear time. */
export const inlineWordsMax = 10_000

const referring = new Set(['$ref', '$recursiveRef', '$recursiveAnchor', '$dynamicRef', '$dynamicAnchor'])

/** Number of words in a schema; Infinity when one of them leads to another schema. */
const wordCounts = new WeakMap<object, number>()

/**
 * Returns whether what a reference leads to is to be compiled in its place, as ajv does with schemas that have no references
 * themselves, and counts its words.
 */
export function isWorthInlining(from: Root, { root, schema }: Target): boolean {
  // A schema of another draft has other words.
  if (root.vocabulary !== from.vocabulary) return false
  const words = wordCount(schema)
  if (words > from.inlineWordsLeft) return false
  from.inlineWordsLeft -= words
  return true
}

function wordCount(schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 1
  const known = wordCounts.get(schema)
  if (known !== undefined) return known
  let words = 1
  for (const [word, inner] of Object.entries(schema))
    words += referring.has(word) ? Number.POSITIVE_INFINITY : wordCount(inner)
  wordCounts.set(schema, words)
  return words
}

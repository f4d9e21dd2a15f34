import type { Group, Schema, Word } from './compiling.ts'
import { normalized } from './find-target.ts'
import { wordsForAny } from './words/words-for-any.ts'
import { wordsForChoices } from './words/words-for-choices.ts'
import { wordsForItems } from './words/words-for-items.ts'
import { wordsForLists } from './words/words-for-lists.ts'
import { wordsForMembers } from './words/words-for-members.ts'
import { limitsWithFlags, wordsForNumbers } from './words/words-for-numbers.ts'
import { wordsForReferences } from './words/words-for-references.ts'
import { wordsForTexts } from './words/words-for-texts.ts'
import { wordsForTuples } from './words/words-for-tuples.ts'

/** What differs between the drafts of JSON Schema. */
export interface Draft {
  /** The `$schema` of its schemas, without the `#` at the end. */
  readonly address: string
  /** The word that gives a schema its address. */
  readonly idWord: 'id' | '$id'
  readonly groups: readonly Group[]
}

const nullable: Word<unknown, unknown> = (_, value) => {
  if (typeof value !== 'boolean') throw new Error('nullable value must be ["boolean"]')
  return undefined
}

const { $ref, id, ...dynamicReferences } = wordsForReferences
const anyWords = { ...wordsForAny, ...wordsForChoices, nullable }
const { maxItems, minItems } = wordsForLists
const { prefixItems, items, contains, uniqueItems, ...newItemWords } = wordsForItems
const { dependentRequired, dependentSchemas, unevaluatedProperties, ...membersOfDraft7 } = wordsForMembers
const texts: Group = { type: 'string', words: wordsForTexts }
const numbers: Group = { type: 'number', words: wordsForNumbers }
const tuples = { maxItems, minItems, ...wordsForTuples, contains, uniqueItems }

const groupsOfDraft7: readonly Group[] = [
  { words: { id, $ref, ...anyWords } },
  numbers,
  texts,
  { type: 'array', words: tuples },
  { type: 'object', words: membersOfDraft7 },
]

/**
 * The drafts that are known, that of schemas without `$schema` first. As in ajv, schemas of older drafts may use the words
 * of draft-07, and other words beside `$ref` count in every draft.
 */
export const drafts: readonly Draft[] = [
  {
    address: 'https://json-schema.org/draft/2020-12/schema',
    idWord: '$id',
    groups: [
      { words: { ...dynamicReferences, id, $ref, ...anyWords } },
      numbers,
      texts,
      { type: 'array', words: { maxItems, minItems, ...wordsForItems } },
      { type: 'object', words: wordsForMembers },
    ],
  },
  {
    address: 'https://json-schema.org/draft/2019-09/schema',
    idWord: '$id',
    groups: [
      { words: { ...dynamicReferences, id, $ref, ...anyWords } },
      numbers,
      texts,
      { type: 'array', words: { ...tuples, ...newItemWords } },
      { type: 'object', words: wordsForMembers },
    ],
  },
  { address: 'http://json-schema.org/draft-07/schema', idWord: '$id', groups: groupsOfDraft7 },
  { address: 'http://json-schema.org/draft-06/schema', idWord: '$id', groups: groupsOfDraft7 },
  {
    address: 'http://json-schema.org/draft-04/schema',
    idWord: 'id',
    groups: [{ words: { $ref, ...anyWords } }, { type: 'number', words: limitsWithFlags }, ...groupsOfDraft7.slice(2)],
  },
]

/** The address of the newest draft, whichever that is. */
const newest = 'http://json-schema.org/schema'

/** Returns the draft that the `$schema` of a schema names; undefined when it names no draft. */
export function draftOf(schema: unknown): Draft | undefined {
  const { $schema } = Object(schema) as Schema
  const [first] = drafts
  if ($schema === undefined || $schema === '') return first
  if (typeof $schema !== 'string') return undefined
  const address = normalized($schema)
  if (address === newest) return first
  return drafts.find((draft) => draft.address === address || withOtherScheme(draft.address) === address)
}

/** Many schemas name the addresses of older drafts with https, or those of newer ones with http. */
function withOtherScheme(address: string): string {
  return address.startsWith('https:') ? address.replace('https:', 'http:') : address.replace('http:', 'https:')
}

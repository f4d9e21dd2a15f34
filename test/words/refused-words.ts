/** A word or phrase that makes a sentence hard to read. */
export interface RefusedWord {
  /** Shown in complaints. */
  readonly name: string
  readonly pattern: RegExp
  /** What an engineer would write. */
  readonly instead: string
}

/** Matches words with any white space between them, including line breaks of a comment. */
function phrase(source: string): RegExp {
  return new RegExp(`\\b(?:${source.replaceAll(' ', '\\s+')})\\b`, 'giu')
}

/** Only words and phrases whose good uses are rare enough to be listed in `exceptions.ts`. */
export const refusedWords: readonly RefusedWord[] = [
  { name: 'told', pattern: phrase('told'), instead: 'reports, returns, logs, shows' },
  { name: 'tells of', pattern: phrase('tells? (?:of|nothing)'), instead: 'reports, says' },
  { name: 'nobody', pattern: phrase('nobody'), instead: 'no caller, no client, nothing; or passive voice' },
  { name: 'whoever', pattern: phrase('who(?:so)?ever'), instead: 'the caller, the user, the operator' },
  { name: 'anew', pattern: phrase('anew'), instead: 'again, from the start' },
  {
    name: 'of which',
    pattern: phrase('(?<!\\b(?:one|two|three|all|some|most|many|each|both|any|half|part) )of which(?! kind)'),
    instead: 'two sentences, "whose", or "with"',
  },
  {
    name: 'is asked for',
    pattern: phrase('(?:is|are|was|were|be|been|being) asked (?:again )?(?:for|by|about|of)'),
    instead: 'is requested, is called',
  },
  { name: 'let go of', pattern: phrase('(?:let|lets|letting) go'), instead: 'release, close, free, drop' },
  {
    name: 'goes on',
    pattern: phrase('goes on|go on (?:with|from|until|where|as|to|at|after|without)|went on'),
    instead: 'continues, resumes',
  },
  { name: 'brings back', pattern: phrase('(?:bring|brings|brought) back'), instead: 'restores, re-enables' },
  { name: 'what is meant', pattern: phrase('what (?:is|was) meant'), instead: 'the name of the thing' },
  {
    name: 'is given back',
    pattern: phrase('(?:is|are|was|were|be) given back|gives? back'),
    instead: 'is returned; releases',
  },
  {
    name: 'as it came in',
    pattern: phrase('as (?:it|they) (?:came|comes?)(?: in)?'),
    instead: 'unchanged; in order of arrival',
  },
  { name: 'the face', pattern: phrase('the face'), instead: 'the public API' },
  {
    name: 'the reference',
    pattern: phrase('the reference(?! (?:to|of|for|count|page|manual|is|implementation))'),
    instead: 'RudderStack',
  },
  { name: 'ends as', pattern: phrase('ends? as(?! soon)'), instead: 'results in, becomes' },
  { name: 'makes of it', pattern: phrase('makes? of (?:it|them)'), instead: 'produces, derives, returns' },
  {
    name: 'said of',
    pattern: phrase('said of|says? nothing (?:of|about)'),
    instead: 'reported about; does not mention',
  },
  {
    name: 'for no',
    pattern: phrase('for no (?!reason)\\w+ (?:is|are|has|have)'),
    instead: '"because", in an active sentence',
  },
  { name: 'is none that', pattern: phrase('(?:is|are) none that'), instead: 'a sentence with "not"' },
  { name: 'goes the way of', pattern: phrase('(?:go|goes|went) the way of'), instead: 'what happens to it' },
  { name: 'takes in', pattern: phrase('takes in'), instead: 'accepts, ingests, reads' },
  {
    name: 'stands',
    pattern: phrase('stands(?! (?:for|out|still|by|in for))'),
    instead: 'is, appears, applies',
  },
]

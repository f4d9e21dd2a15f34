/** A regular expression that is not linear, or that the check cannot read, and why it is harmless. */
export interface BoundedRegex {
  /** Below `packages`. */
  readonly file: string
  /** `/source/flags`, or the expression that builds it. */
  readonly text: string
  /** What bounds its input, with a number, or what makes it linear. */
  readonly reason: string
}

const lineOfError = 'quadratic in a line of an error, which frameCharsMax bounds to 600 characters'
const textBefore = 'quadratic in the source before an error, which beforeMax bounds to 300 characters'

/** The check fails for entries that match nothing any more. */
export const boundedRegexes: readonly BoundedRegex[] = [
  {
    file: 'core/src/text/linear-regex.ts',
    text: 'source',
    reason: 'an expression of at most 1,000 characters is only parsed, to learn whether it is one; it is never run',
  },
  {
    file: 'delivery/src/sinks/files/line-filter.ts',
    text: ['`$', String.raw`{quoted}\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|[^\\s",}\\]]+)`, '`'].join(''),
    reason: 'linear for every quoted name (recheck finds it so with userId in it); lines have at most 64 MiB',
  },
  {
    file: 'core/src/text/schema-pattern.ts',
    text: ['`(?!)|$', '{source}`'].join(''),
    reason:
      'written in a definition, where this check reads those of ours; settings have at most 16,384 characters each',
  },
  {
    file: 'sandbox/guest/guest-prelude.js',
    text: String.raw`/^(?:async\s+)?(?:function\s*[\w$]*\s*\(\s*[\w$]*\s*\)|\(\s*[\w$]*\s*\)\s*=>|[\w$]+\s*=>)/`,
    reason:
      'runs in the guest, and ends at the time limit of loading (eventTimeMs, 1,000 ms), like expressions of user code',
  },
  {
    file: 'sandbox/src/errors/familiar-message.ts',
    text: String.raw`/[.\]]\s*[\w$]*\s*$/`,
    reason: textBefore,
  },
  { file: 'sandbox/src/errors/familiar-message.ts', text: String.raw`/=?\s*.?$/`, reason: textBefore },
  {
    file: 'sandbox/src/errors/familiar-message.ts',
    text: String.raw`/((?:[\p{L}_$][\p{L}\p{N}_$]*|\)|\]|"[^"]*"|'[^']*')(?:\??\.#?[\p{L}_$][\p{L}\p{N}_$]*|\[[^\][]*\])*)\)?\s*$/u`,
    reason: textBefore,
  },
  { file: 'sandbox/src/errors/familiar-message.ts', text: '/(?:\\?\\.)?\\s*[(`]?$/', reason: textBefore },
  {
    file: 'sandbox/src/errors/guest-exception.ts',
    text: String.raw`/^ {4}at (?:.*\()?(.+:\d+:\d+)\)?$/`,
    reason: lineOfError,
  },
  {
    file: 'sandbox/src/typescript/without-types.ts',
    text: String.raw`/^SyntaxError: .* \[(.+):(\d+):(\d+)\]/s`,
    reason: 'quadratic in an error, which titleMax bounds to 1,000 characters',
  },
  {
    file: 'schema/src/tracking-plan/draft-04-meta-schema.ts',
    text: "{ type: 'string' }",
    reason: 'the schema of patterns: it is none itself',
  },
  {
    file: 'segment-actions/src/map/mapping/directives/replace-directive.ts',
    text: 'literal',
    reason: 'a text of at most 10 characters, all of which are escaped: it matches itself only',
  },
  {
    file: 'sluice/src/cli/offline/repl/repl-session.ts',
    text: String.raw`/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g`,
    reason: 'quadratic in a line that a person types at a terminal of their own, usually under 1,000 characters',
  },
  {
    file: 'sandbox/src/errors/code-positions.ts',
    text: String.raw`/^ {4}at (?:.*\()?(.+):(\d+):(\d+)\)?$/`,
    reason: lineOfError,
  },
]

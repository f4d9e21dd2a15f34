import { commentEnd, isSpace, quotedEnd } from '../../code/source-scan.ts'

/** A name that an import statement binds: to an export of the module, or with '*' to all of them. */
interface ImportBinding {
  readonly imported: string
  readonly local: string
}

/**
 * Returns what an import statement binds.
 * @param statement from `import` to the quote of the specifier: `import a, { b as c } from`.
 */
export function importBindings(statement: string): readonly ImportBinding[] {
  const [, ...tokens] = tokensOf(statement)
  const bindings: ImportBinding[] = []
  let isInList = false
  // The last token is `from`.
  for (let i = 0; i < tokens.length - 1; i += 1) {
    const token = tokens[i] ?? ''
    if (token === '{') isInList = true
    if (punctuation.includes(token)) continue
    const hasName = tokens[i + 1] === 'as' && (isInList || token === '*')
    const imported = isInList || token === '*' ? unquoted(token) : 'default'
    bindings.push({ imported, local: hasName ? (tokens[i + 2] ?? '') : token })
    if (hasName) i += 2
  }
  return bindings
}

const punctuation = '{},'
const quotes = '"\''

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = []
  let at = 0
  while (at < text.length) {
    const char = text[at] ?? ''
    let end = commentEnd(text, at)
    if (end === at) {
      end = at + 1
      if (quotes.includes(char)) end = quotedEnd(text, at, char) + 1
      else if (isOfName(char)) while (end < text.length && isOfName(text[end] ?? '')) end += 1
      if (!isSpace(char)) tokens.push(text.slice(at, end))
    }
    at = end
  }
  return tokens
}

const isOfName = (char: string): boolean => !isSpace(char) && !`${punctuation}${quotes}*/`.includes(char)

function unquoted(token: string): string {
  return quotes.includes(token[0] ?? '') ? token.slice(1, -1) : token
}

/** What a piece of code is; '' is drawn as it is. */
type TokenKind = 'word' | 'text' | 'number' | 'name' | 'quiet' | ''

export interface CodeToken {
  readonly kind: TokenKind
  readonly text: string
}

export type CodeLanguage = 'javascript' | 'sql' | 'plain'

const script =
  /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|(\b\d[\d_.]*\b)|([A-Za-z_$][\w$]*)(?=(\s*\()?)/g
const query = /(--[^\n]*|\/\*[\s\S]*?\*\/)|('(?:''|[^'])*')|(\b\d[\d_.]*\b)|([A-Za-z_][\w$]*)(?=(\s*\()?)/g

const scriptWords = new Set(
  'import from export default function const let return if else for of in new null true false undefined async await typeof type interface throw try catch finally class extends switch case break continue while do instanceof as satisfies'.split(
    ' ',
  ),
)
const queryWords = new Set(
  'select from where group by order desc asc limit offset as and or not is null in on join left right inner outer having with case when then else end distinct between interval union all like ilike true false'.split(
    ' ',
  ),
)

/** Returns code in pieces, line by line, for colours. A longer text than 200,000 characters stays plain. */
export function paintCode(text: string, language: CodeLanguage): readonly (readonly CodeToken[])[] {
  const lines: CodeToken[][] = [[]]
  const add = (kind: TokenKind, piece: string): void => {
    for (const [n, line] of piece.split('\n').entries()) {
      if (n > 0) lines.push([])
      if (line !== '') lines.at(-1)?.push({ kind, text: line })
    }
  }
  if (language === 'plain' || text.length > paintedMax) {
    add('', text)
    return lines
  }
  let end = 0
  for (const match of text.matchAll(language === 'sql' ? query : script)) {
    add('', text.slice(end, match.index))
    add(kindOf(match, language), match[0])
    end = match.index + match[0].length
  }
  add('', text.slice(end))
  return lines
}

const paintedMax = 200_000

function kindOf([, quiet, string, number, name, call]: RegExpMatchArray, language: CodeLanguage): TokenKind {
  if (quiet !== undefined) return 'quiet'
  if (string !== undefined) return 'text'
  if (number !== undefined) return 'number'
  const isWord = language === 'sql' ? queryWords.has((name ?? '').toLowerCase()) : scriptWords.has(name ?? '')
  return isWord ? 'word' : call === undefined ? '' : 'name'
}

import { describe, expect, it } from 'vitest'
import { type CodeLanguage, paintCode } from './paint-code.ts'

const kinds = (text: string, language: CodeLanguage) =>
  paintCode(text, language).map((tokens) => tokens.flatMap(({ kind, text }) => (kind === '' ? [] : `${kind} ${text}`)))

describe('painted code', () => {
  it('has words, texts, numbers, calls and comments', () => {
    expect(kinds('return sum(1, "two") // three', 'javascript')).toEqual([
      ['word return', 'name sum', 'number 1', 'text "two"', 'quiet // three'],
    ])
    expect(kinds("SELECT count(*) WHERE a = 'It''s' -- all", 'sql')).toEqual([
      ['word SELECT', 'name count', 'word WHERE', "text 'It''s'", 'quiet -- all'],
    ])
  })

  it('keeps every character and line, also of comments over several lines', () => {
    const text = '/* a\n b */\n\nconst x = `one\ntwo`\n'
    const lines = paintCode(text, 'javascript')
    expect(lines.map((tokens) => tokens.map(({ text }) => text).join('')).join('\n')).toBe(text)
    expect(lines[1]).toEqual([{ kind: 'quiet', text: ' b */' }])
  })
})

import { expect, it } from 'vitest'
import { regexesIn } from './regexes-in.ts'

const textsIn = (code: string) => regexesIn('file.ts', code).map(({ text }) => text)

it('finds literals, patterns of schemas and arguments of RegExp, with constants filled in', () => {
  const code = [
    "const digit = '\\\\d'",
    'const a = /a+b\\/[/]/gi',
    `const b = new RegExp(\`^\${digit}{2}\`, "u")`,
    "const c = RegExp('x')",
    `const schema = { pattern: \`\${digit}$\`, other: "no" }`,
  ].join('\n')
  expect(textsIn(code)).toEqual(['/a+b\\/[/]/gi', '/^\\d{2}/u', '/x/', '/\\d$/u'])
})

it('finds patterns of schemas under a quoted name', () => {
  expect(textsIn(`const a = { 'pattern': '^a$', "pattern": 'b', ['pattern']: 'c', 'patterns': 'd' }`)).toEqual([
    '/^a$/u',
    '/b/u',
    '/c/u',
  ])
})

it('returns an expression it cannot read as its source text, for a person to judge', () => {
  const [built] = regexesIn('file.ts', '\n\nconst match = (name: string) => new RegExp(`^$' + '{name}`)')
  expect(built).toEqual({ text: '`^$' + '{name}`', line: 3 })
})

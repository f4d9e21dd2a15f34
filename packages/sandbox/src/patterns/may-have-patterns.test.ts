import { describe, expect, it } from 'vitest'
import { mayHavePatterns } from './may-have-patterns.ts'

describe('a program that may have patterns', () => {
  const ofPatterns = [
    'const p = /a/',
    'text.replace(/a/g, "")',
    'const list = [\n  /a/, 1]',
    'const f = () => /a/',
    'return /a/.test(text)',
    '({ a: /a/ })',
    'a ? /b/ : 1',
    'a || /b/.test(c)',
    '/a/.test(b)',
    '}\n/a/.test(b)',
    'new RegExp(text)',
    "''.match('').constructor",
  ]
  it.each(ofPatterns)('%s', (text) => {
    expect(mayHavePatterns(['export const a = 1', text])).toBe(true)
  })
  const others = [
    'a / b / c',
    '(a) / 2',
    'list[0] / 2 / 3',
    "'a/b/c'",
    '"https://host/path"',
    '// a\n/* b */ c',
    'total /= 2',
  ]
  it.each(others)('but not %s', (text) => {
    expect(mayHavePatterns([text])).toBe(false)
  })
})

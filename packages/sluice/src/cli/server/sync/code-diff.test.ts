import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { codeDiff, sameText } from './code-diff.ts'

/** Without the colours that CI asks for. */
const plainDiff = (before: string, after: string): string => stripVTControlCharacters(codeDiff(before, after))

it('ignores line ends, and shows other differences as changed lines', () => {
  expect(sameText('a\r\nb\r\n', 'a\nb\n')).toBe(true)
  expect(sameText('a\r\nb', 'a\nc')).toBe(false)
  expect(codeDiff('a\r\nb\r\n', 'a\nb\n')).toBe('')
  expect(plainDiff('a\r\nb\r\n', 'a\nc\n')).toBe('@@ -1,2 +1,2 @@\n a\n-b\n+c')
})

it('replaces control characters', () => {
  expect(plainDiff('', 'a\u001b[2J\n')).toBe('@@ -0,0 +1,1 @@\n+a\ufffd[2J')
})

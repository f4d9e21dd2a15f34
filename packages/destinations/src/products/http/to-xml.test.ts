import { expect, it } from 'vitest'
import { toXml } from './to-xml.ts'

it('writes elements, repeats them for lists, and escapes text', () => {
  const value = { 'a b': 'x < y & "z"', list: [1, { c: true }, []], none: null, '1st': '\u0000\u0001ok' }
  expect(toXml('root', value)).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><root><a_b>x &lt; y &amp; &quot;z&quot;</a_b><list>1</list><list><c>true</c></list><none/><_1st>ok</_1st></root>',
  )
})

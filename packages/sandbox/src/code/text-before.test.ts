import { describe, expect, it } from 'vitest'
import { familiarMessage } from '../errors/familiar-message.ts'
import { textBefore } from './text-before.ts'

describe('textBefore', () => {
  const cases = [
    {
      name: 'ends with the bracket just before the column',
      source: 'a\n  e.x(1)',
      at: 7,
      want: '  e.x(',
    },
    { name: 'joins the lines of a chain', source: 'e\n  .a\n  ?.b()', at: 12, want: 'e.a?.b(' },
    { name: 'finds the returned call', source: 'return e.x(f(1), 2)', at: 0, want: 'return e.x(' },
    {
      name: 'selects the last of several calls',
      source: 'return e.x(1)[0].y(2)',
      at: 0,
      want: 'return e.x(1)[0].y(',
    },
    { name: 'finds a template', source: 'return e.x`a(b`', at: 0, want: 'return e.x`' },
    {
      name: 'skips strings, patterns and comments',
      source: 'return e.x(")", /[)(]/, 1 / 2) /* f( */ // g(',
      at: 0,
      want: 'return e.x(',
    },
    { name: 'ends where the statement does', source: 'return e.x(1)\nf(2)', at: 0, want: 'return e.x(' },
    { name: 'ends where the block does', source: 'return e.x(1) } f(2)', at: 0, want: 'return e.x(' },
    { name: 'continues after an operator', source: 'return a +\n e.x(1)', at: 0, want: ' e.x(' },
    { name: 'is empty when no call is returned', source: 'return e.x(1) + 2', at: 0, want: 'return' },
  ] as const
  for (const { name, source, at, want } of cases) {
    it(name, () => {
      expect(textBefore(source, at)).toBe(want)
    })
  }
  it('joins lines only before a member, with any amount of white space between', () => {
    expect(textBefore('e \n\n \n .a(', 11)).toBe('e.a(')
    expect(textBefore('e  .a(', 5)).toBe('e  .a(')
    expect(textBefore('e\n\n  a(', 6)).toBe('  a(')
    expect(textBefore('return e\n\n \n.x(1)', 0)).toBe('return e.x(')
  })
  it('is fast for much white space, with and without line breaks', () => {
    const all = (): void => {
      for (const space of [' \n', '\n', ' ', '\t\n\n'])
        for (let event = 0; event < 20; event += 1) {
          const text = `e${space.repeat(2_000)}.x(`
          textBefore(text, text.length - 1)
          textBefore(`return e${space.repeat(2_000)}.x()`, 0)
          textBefore(`${space.repeat(2_000)}x()`, 2_000 * space.length + 1)
        }
    }
    // Backtracking over each run of white space took 12 ms for each of these 240.
    expect(all).toCostAtMost(500)
  })
  it('is fast for hostile lines', () => {
    for (const part of ['a.', '(', 'a[', '] ', "'"]) {
      const line = part.repeat(100_000)
      expect(() => {
        familiarMessage('TypeError', 'not a function', textBefore(`${line};f(`, line.length + 2))
        familiarMessage('TypeError', 'not a function', textBefore(`return ${line}`, 0))
      }).toCostAtMost(500)
    }
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWholeLines } from './whole-lines.ts'

function linesOf(chunks: readonly Uint8Array[], charsMax?: number): readonly string[] {
  const found: string[] = []
  const lines = createWholeLines((line) => found.push(line), charsMax)
  for (const chunk of chunks) lines.add(chunk)
  lines.end()
  return found
}

describe('the lines of a stream', () => {
  it('are the same wherever the stream is cut, also within a character', () => {
    const text = fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replaceAll('\n', '')))
    fc.assert(
      fc.property(text, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (lines, sizes) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        const chunks: Uint8Array[] = []
        for (let at = 0; at < bytes.length; ) {
          const size = sizes.next().value ?? 1
          chunks.push(bytes.subarray(at, at + size))
          at += size
        }
        expect(linesOf(chunks)).toEqual(lines)
      }),
    )
  })

  it('include what a process wrote last, without an end of a line', () => {
    expect(linesOf([Buffer.from('a\nb')])).toEqual(['a', 'b'])
  })

  it('are bounded: a longer one is passed in parts', () => {
    expect(linesOf([Buffer.from('abcdefgh'), Buffer.from('i\nj\n')], 3)).toEqual(['abc', 'def', 'ghi', 'j'])
  })
})

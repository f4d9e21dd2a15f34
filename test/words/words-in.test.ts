import { describe, expect, it } from 'vitest'
import { wordsIn } from './words-in.ts'

const foundIn = (fileName: string, text: string) =>
  wordsIn(fileName, text).refused.map(({ line, text }) => `${line}: ${text}`)

describe('words in a file', () => {
  it('finds refused words in comments and strings of code, and not in code', () => {
    const code = [
      "import { told } from './told.ts'",
      '/** Told once. */',
      'const told = `$' + '{nobody} told $' + '{told} nobody`',
      "const a = 'whoever' // anew",
      'const pattern = /told/',
    ].join('\n')
    expect(foundIn('file.ts', code)).toEqual(['2: Told', '3: told', '3: nobody', '4: whoever', '4: anew'])
  })

  it('finds a phrase that runs over a line break, and reports its first line', () => {
    const code = '/**\n * The clock goes\n * on.\n */\n// A list of\n// which none is left.\nconst a = 1\n'
    expect(foundIn('file.ts', code)).toEqual(['2: goes on', '5: of which'])
  })

  it('finds refused words in Markdown, and not in code spans', () => {
    expect(foundIn('page.md', 'One\n\nis told `told` and\n\n```\nlets go of\n```\n')).toEqual(['3: told', '6: lets go'])
  })

  it('accepts ordinary uses of the same words', () => {
    expect(foundIn('page.md', 'Two of which fail. JSON stands for it. Increments the reference count.')).toEqual([])
  })

  it('finds a phrase after a word that only ends like an ordinary use', () => {
    expect(foundIn('page.md', 'A call of which nothing is kept, the part of which is small.')).toEqual(['1: of which'])
  })

  it('accepts an allowed phrase in its file, across line breaks, and reports which exceptions it used', () => {
    const signedIn = { file: 'page.md', phrase: 'where nobody is signed in', reason: 'people' }
    const unused = { file: 'page.md', phrase: 'nobody else', reason: 'people' }
    const text = 'A page where nobody\nis signed in. Nobody.'
    const { refused, used } = wordsIn('page.md', text, [signedIn, unused])
    expect(refused).toMatchObject([{ line: 2, text: 'Nobody' }])
    expect(used).toEqual([signedIn])
    expect(wordsIn('other.md', text, [signedIn]).refused).toHaveLength(2)
  })
})

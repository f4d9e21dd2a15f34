import { describe, expect, it } from 'vitest'
import { topLevelPatterns } from './top-level-patterns.ts'

const sources = (text: string): readonly string[] =>
  topLevelPatterns(text).map(({ source, flags }) => `/${source}/${flags}`)

describe('top-level patterns', () => {
  it('are those in variables, lists and objects', () => {
    const text = `
      const mail = /\\S+@\\S+/gi, other = /b+/ // and /not this+/
      let list = [/c+/, [/d+/g, 'd'], { e: /e+/u }] /* = /f+/ */
      export const masks = { phone: { pattern: /[/"']+\\/g+/mg } }
      const text = '= /h+/' + "= /i+/" + \`= /j+/\`
    `
    expect(sources(text)).toEqual(['/\\S+@\\S+/gi', '/b+/', '/c+/', '/d+/g', '/e+/u', '/[/"\']+\\/g+/gm'])
  })
  it('are not those that each call makes', () => {
    const text = `
      export function transformEvent(event) { const a = /a+/; return event.text.replace(/b+/g, '') }
      const f = (text) => { const list = [/c+/]; return list }
      const g = (text) => /d+/.test(text) ? text.split(/e+/) : 4 / 2 / 1
      class Kept { pattern = /f+/ }
    `
    expect(sources(text)).toEqual([])
  })
  it('are found again after a function', () => {
    expect(sources('function f() { return {} }\nconst a = /a+/')).toEqual(['/a+/'])
  })
  it('are limited in length and number', () => {
    expect(sources(`const a = /${'a'.repeat(1_000)}/`)).toEqual([])
    expect(sources(`const a = [${'/a+/,'.repeat(1_000)}]`)).toHaveLength(32)
  })
  it('are not searched for longer than the text', () => {
    for (const part of ['=/', '=/[', '= ', "='", '`/', '/*', '{=/a+@/,', '= /\\'])
      expect(topLevelPatterns(part.repeat(100_000)).length).toBeLessThanOrEqual(32)
  })
})

import { describe, expect, it } from 'vitest'
import { createModuleSet } from './module-set.ts'

const library = (name: string, code = name) => ({ name, code })
const setOf = (name: string, ...names: string[]) =>
  createModuleSet({ name, code: '', libraries: names.map((each) => library(each)) })

describe('module set', () => {
  it('finds a library by its stored name and by its camel case', () => {
    const set = setOf('t', 'My Library')
    expect(set.resolve('My Library')).toBe('library My Library')
    expect(set.resolve('myLibrary')).toBe('library My Library')
    expect(set.resolve('mylibrary')).toBeUndefined()
  })
  it('prefers a stored name to the camel case of another', () => {
    const set = setOf('t', 'a b', 'aB')
    expect(set.code(set.resolve('aB') ?? '')).toBe('aB')
  })
  it('distinguishes libraries whose names differ only in unprintable characters', () => {
    const set = setOf('t', 'a(', 'a)')
    expect(set.code(set.resolve('a(') ?? '')).toBe('a(')
    expect(set.code(set.resolve('a)') ?? '')).toBe('a)')
  })
  it('never gives the transformation the module name of a library or of a missing module', () => {
    expect(setOf('library x', 'x').mainName).toBe('transformation library x')
    expect(setOf('?x').mainName).toBe('transformation ?x')
  })
  it('detects code whose outputs may have a toJSON', () => {
    const mentions = (code: string) => createModuleSet({ name: 't', code, libraries: [] }).mentionsToJson
    const makers = [
      'toJSON() {}',
      'new URL(x)',
      'd.toISOString = f',
      'toISOString() { return 1 }',
      '{ toISOString: f }',
      'o["toISOString"]',
    ]
    for (const code of makers) expect(mentions(code), code).toBe(true)
    for (const code of [
      'new Date().toISOString()',
      'if (d.toISOString() === x) { y }',
      'a == d.toISOString',
      'MY_URLS',
    ])
      expect(mentions(code), code).toBe(false)
  })
  it('finds where lines begin', () => {
    const set = createModuleSet({ name: 't', code: 'a\n\nbc', libraries: [library('x', '')] })
    expect([1, 2, 3, 4].map((line) => set.lineStart('t', line))).toEqual([0, 2, 3, undefined])
    expect(set.lineStart('library x', 1)).toBe(0)
  })
  it('shows names without line ends, NUL and brackets', () => {
    expect(setOf('a\n(b)\0<c>').mainName).toBe('a__b___c_')
    expect(setOf('').mainName).toBe('base transformation')
  })
})

import { describe, expect, it } from 'vitest'
import { importedLibraries, libraryNamed } from './imported-libraries.ts'

const library = (name: string, code = 'export default 1') => ({ name, code })
const names = (code: string, ...libraries: readonly { name: string; code: string }[]) =>
  importedLibraries(code, libraries).map(({ name }) => name)

describe('imported libraries', () => {
  it('are those that are imported, by name or by its camel case', () => {
    expect(
      names(`import a from 'a'\nimport * as b from "myLib"`, library('a'), library('my-lib'), library('c')),
    ).toEqual(['a', 'my-lib'])
  })
  it('include those that libraries import, at any depth, circles included', () => {
    const a = library('a', `import 'b'`)
    const b = library('b', `export { x } from 'c'`)
    const c = library('c', `import 'a'\nexport const x = 1`)
    expect(names(`import 'a'`, library('d'), c, b, a)).toEqual(['c', 'b', 'a'])
  })
  it('exclude those named only in a comment or a string', () => {
    expect(names(`// import 'a'\nconst b = "import 'b'"`, library('a'), library('b'))).toEqual([])
  })
  it('are read from TypeScript too', () => {
    const code = `import { type T, f } from 'a'\nexport function transformEvent(event: Record<string, T>): T { return f<T>(event) }`
    expect(names(code, library('a'), library('b'))).toEqual(['a'])
  })
  it('are all libraries when the imports cannot be parsed', () => {
    expect(names(`import a from 'a`, library('a'), library('b'))).toEqual(['a', 'b'])
  })
  it('are found by exact name first', () => {
    expect(libraryNamed('myLib', [library('my-lib'), library('myLib')])?.name).toBe('myLib')
    expect(libraryNamed('other', [library('my-lib')])).toBeUndefined()
  })
})

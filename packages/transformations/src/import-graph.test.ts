import { describe, expect, it } from 'vitest'
import { importedLibraries, libraryNamed } from './import-graph.ts'

const library = (name: string, code = 'export default 1') => ({ name, code })
const names = (code: string, ...libraries: readonly { name: string; code: string }[]) =>
  importedLibraries(code, libraries).map(({ name }) => name)

describe('imported libraries', () => {
  it('are those that are imported, by their names or the camel case of them', () => {
    expect(
      names(`import a from 'a'\nimport * as b from "myLib"`, library('a'), library('my-lib'), library('c')),
    ).toEqual(['a', 'my-lib'])
  })
  it('are also those that libraries import, however far, circles included', () => {
    const a = library('a', `import 'b'`)
    const b = library('b', `export { x } from 'c'`)
    const c = library('c', `import 'a'\nexport const x = 1`)
    expect(names(`import 'a'`, library('d'), c, b, a)).toEqual(['c', 'b', 'a'])
  })
  it('are not those that only a comment or a text names', () => {
    expect(names(`// import 'a'\nconst b = "import 'b'"`, library('a'), library('b'))).toEqual([])
  })
  it('are read from TypeScript too', () => {
    const code = `import { type T, f } from 'a'\nexport function transformEvent(event: Record<string, T>): T { return f<T>(event) }`
    expect(names(code, library('a'), library('b'))).toEqual(['a'])
  })
  it('are all of them where the imports cannot be read', () => {
    expect(names(`import a from 'a`, library('a'), library('b'))).toEqual(['a', 'b'])
  })
  it('are found by the name itself first', () => {
    expect(libraryNamed('myLib', [library('my-lib'), library('myLib')])?.name).toBe('myLib')
    expect(libraryNamed('other', [library('my-lib')])).toBeUndefined()
  })
})

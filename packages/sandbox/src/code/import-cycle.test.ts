import { describe, expect, it } from 'vitest'
import { importCycle } from './import-cycle.ts'
import { createModuleSet } from './module-set.ts'

const cycleOf = (code: string, libraries: Record<string, string>) =>
  importCycle(
    createModuleSet({
      name: 't',
      code,
      libraries: Object.entries(libraries).map(([name, text]) => ({ name, code: text })),
    }),
  )

describe('import cycles', () => {
  it('are found across several libraries, and by either name of a library', () => {
    const libraries = {
      'lib a': "import { b } from 'b'; export const a = 1",
      b: "export * from 'c'",
      c: "import 'libA'",
    }
    expect(cycleOf("import { a } from 'libA'", libraries)).toEqual([
      'library lib a',
      'library b',
      'library c',
      'library lib a',
    ])
  })
  it('are found when a library imports itself', () => {
    expect(cycleOf("import 'a'", { a: "import 'a'" })).toEqual(['library a', 'library a'])
  })
  it('are not reported for shared libraries, comments, strings, or libraries that are not imported', () => {
    const shared = { a: "import 'c'", b: "import 'c'", c: '', x: "import 'y'", y: "import 'x'" }
    expect(cycleOf("import 'a'; import 'b'", shared)).toBeUndefined()
    expect(cycleOf("import 'a'", { a: "// import 'a'\nconst s = \"import 'a'\"" })).toBeUndefined()
  })
  it('are searched for even when some code cannot be parsed', () => {
    expect(cycleOf("import 'a'; {{{", { a: "import 'a' from" })).toBeUndefined()
  })
})

import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { type ModuleFunction, ModuleSyntaxError, moduleFunction } from './module-function.ts'

/** Runs a module, with what its imports export by specifier. */
function exportsOf(code: string, modules: Readonly<Record<string, object>> = {}) {
  const made = moduleFunction(code, [])
  const factory = new Script(made.text, { filename: 'm', lineOffset: -1 }).runInThisContext()()
  return factory(
    made.imports.map(({ specifier }) => modules[specifier] ?? {}),
    (specifier: string) => modules[specifier],
    {},
  )
}
const lib = { default: 1, a: 2, b: 3, 'x y': 4 }

describe('a module as a function', () => {
  const cases = [
    ['export const a = 1, b = 2', { a: 1, b: 2 }],
    ['export let a = 1\na = 2', { a: 2 }],
    ['export function a() {}\na.n = 1', { a: expect.any(Function) }],
    ['export async function a() {}', { a: expect.any(Function) }],
    ['export class A { static n = 1 }', { A: expect.any(Function) }],
    ['export default 7', { default: 7 }],
    ['export default (1, 8)', { default: 8 }],
    ['export default [1]\nexport const a = 1', { default: [1], a: 1 }],
    ['export default function () { return 1 }\n(0)', { default: expect.any(Function) }],
    ['export default function* () {}', { default: expect.any(Function) }],
    ['export default async function () {}', { default: expect.any(Function) }],
    [
      'export default function named() {}\nexport const same = named',
      { default: expect.any(Function), same: expect.any(Function) },
    ],
    ['export default class {}', { default: expect.any(Function) }],
    ['export default class extends Array {}', { default: expect.any(Function) }],
    ['export default class extends (class {}) { static n = 1 }', { default: expect.any(Function) }],
    ['export /* a */ default /* b */ function /* c */ () {}', { default: expect.any(Function) }],
    ['export default asyncA\nfunction asyncA() {}', { default: expect.any(Function) }],
    ['export // default\n const a = 1', { a: 1 }],
    ['const a = 1\nexport /* } */ { a, // }\n a as b, a as "}" }', { a: 1, b: 1, '}': 1 }],
    ["import { a } from 'lib'; export { a, a as b }", { a: 2, b: 2 }],
    ["import d, * as all from 'lib'; export { d as default, all }", { default: 1, all: lib }],
    ['#!/usr/bin/env node\nexport const a = 1', { a: 1 }],
    ['const a = 1\nexport { a, a as b, a as default }', { a: 1, b: 1, default: 1 }],
    ['const a = 1\nexport { a as "x y" }', { 'x y': 1 }],
    ["import d from 'lib'; export const n = d", { n: 1 }],
    ["import{a}from'lib';export const n = a", { n: 2 }],
    ["import d, { a, b as c } from 'lib'; export const n = [d, a, c]", { n: [1, 2, 3] }],
    ["import {\n  a, // } from 'other'\n  /* b */ b,\n} from 'lib'; export const n = a + b", { n: 5 }],
    ["import { default as d, 'x y' as z } from 'lib'; export const n = d + z", { n: 5 }],
    ["import * as all from 'lib'; export const n = Object.keys(all)", { n: ['default', 'a', 'b', 'x y'] }],
    ["import d, * as all from 'lib'; export const n = [d, all.a]", { n: [1, 2] }],
    ["import 'lib'; export const n = 1", { n: 1 }],
    ["export const n = later\nimport { a as later } from 'lib'", { n: 2 }],
    ["export { a, b as c } from 'lib'", { a: 2, c: 3 }],
    ["export { default } from 'lib'", { default: 1 }],
    ["export * as all from 'lib'", { all: lib }],
    ["export const n = import('lib')", { n: lib }],
    ['export const n = typeof import.meta', { n: 'object' }],
    ['export const n = this', { n: undefined }],
    ["const text = `import { a } from 'lib'`; export const n = text.length // import b from 'c'", { n: 23 }],
    ['export const n = 1 /* no end of line */ // and a comment', { n: 1 }],
  ] as const
  for (const [code, want] of cases)
    it(`exports the same: ${code}`, () => {
      expect({ ...exportsOf(code, { lib }) }).toEqual(want)
    })

  it('says which modules have all their names exported', () => {
    const { imports, stars, exports } = moduleFunction("export * from 'a'\nexport * from 'b'\nexport const c = 1", [])
    expect({ stars: stars.map((place) => imports[place]?.specifier), exports }).toEqual({
      stars: ['a', 'b'],
      exports: ['c'],
    })
  })

  it('keeps the lines and columns of all code', () => {
    const codes = [
      "import { a as\n b } from 'lib'; throw new Error()",
      'export default 1; export const b = 2;\n\n  throw new Error()',
      'export default function () {} throw new Error()',
      "export { a } from 'lib'; export const c = 1; { throw new Error() }",
      "const x = import.meta; void import('lib'); throw new Error()",
      'export const text = `\n`; /* \u00e9 */ throw new Error()',
      'export\ndefault function () {} throw new Error()',
      'export default async\nfunction () {} throw new Error()',
      'export\n\n  default 1; throw new Error()',
      "import { a } from 'lib'; export { a,\n a as b }; throw new Error()",
    ]
    for (const code of codes) {
      const before = code.slice(0, code.indexOf('new Error')).split('\n')
      const place = `m:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
      const thrown = (() => {
        try {
          return exportsOf(code, { lib })
        } catch (error) {
          return (error as Error).stack
        }
      })()
      expect(thrown, code).toContain(place)
    }
  })

  const refused: readonly string[] = [
    "import type { A } from 'lib'",
    'export type A = string',
    "import source x from 'lib'",
    'export const a = "',
    "import { a } from 'lib",
  ]
  for (const code of refused)
    it(`does not exist for ${code}`, () => {
      const make = (): ModuleFunction => moduleFunction(code, [])
      expect(make).toThrow(ModuleSyntaxError)
    })
})

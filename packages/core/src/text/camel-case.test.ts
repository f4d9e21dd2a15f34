import { describe, expect, it } from 'vitest'
import { camelCase } from './camel-case.ts'

describe('camelCase', () => {
  const cases = [
    ['my Library', 'myLibrary'],
    ['my-library_2', 'myLibrary2'],
    ['HTTPServer', 'httpServer'],
    ['URL helper', 'urlHelper'],
    ['alreadyCamel', 'alreadyCamel'],
    ['lib2go', 'lib2Go'],
    ["Bob's caf\u00e9", 'bobsCafe'],
    ['2nd lib', '2ndLib'],
    ['my 21st library', 'my21stLibrary'],
    ['12th', '12Th'],
    ['stra\u00dfe', 'strasse'],
    ['\u00c6ther', 'aether'],
    ['\u00c6THER lib', 'aeTherLib'],
    ['\u0152uvre \u0142\u00f3d\u017a', 'oeuvreLodz'],
    ['cafe\u0301 x', 'cafeX'],
    ['\u65e5\u672c lib', '\u65e5\u672cLib'],
    ['  ', ''],
  ] as const
  for (const [name, want] of cases) {
    it(`turns '${name}' into '${want}'`, () => expect(camelCase(name)).toBe(want))
  }
})

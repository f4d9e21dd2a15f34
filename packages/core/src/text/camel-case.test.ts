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
    ['  ', ''],
  ] as const
  for (const [name, want] of cases) {
    it(`turns '${name}' into '${want}'`, () => expect(camelCase(name)).toBe(want))
  }
})

import { expect, it } from 'vitest'
import { isAllowedLicence } from './allowed-licences.ts'

for (const [licence, want] of [
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['SEE LICENSE IN LICENSE', false],
  [undefined, false],
] as const)
  it(`${want ? 'allows' : 'refuses'} a dependency with the licence ${licence}`, () => {
    expect(isAllowedLicence(licence)).toBe(want)
  })

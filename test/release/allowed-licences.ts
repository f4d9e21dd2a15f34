/** Licences that dependencies may have: they ask for no more than to be named. */
export const allowedLicences: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Python-2.0',
])

/**
 * Returns whether a dependency with this licence may be installed: of `(A OR B)` one must be allowed, of `(A AND B)`
 * all.
 * @param licence an SPDX expression; undefined when the package names none.
 */
export function isAllowedLicence(licence: string | undefined): boolean {
  if (licence === undefined) return false
  const plain = licence.replaceAll(/[()]/g, '')
  return plain.split(' OR ').some((part) => part.split(' AND ').every((each) => allowedLicences.has(each.trim())))
}

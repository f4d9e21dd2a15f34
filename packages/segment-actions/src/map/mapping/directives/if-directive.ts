import { type Directive, resolveToUndefined } from '../mapping-compiler.ts'
import { placeBelow } from '../place-below.ts'
import { directiveOptions } from './directive-options.ts'

/** `@if`: `then` if the value of `exists` is not null, or that of `blank` is not empty either; otherwise `else`. */
export const ifDirective: Directive = (value, place, compiler) => {
  const options = directiveOptions(value, place, compiler, ['exists', 'blank', 'then', 'else'])
  if (options === undefined) return resolveToUndefined
  const { exists, blank, then, else: otherwise } = options
  if (!exists && !blank) return compiler.report(place, value, 'an option "exists" or "blank"')
  const whenMet = then === undefined ? resolveToUndefined : compiler.compile(then, placeBelow(place, 'then'))
  // Segment ignores an `else` that is falsy.
  const whenNot = otherwise ? compiler.compile(otherwise, placeBelow(place, 'else')) : resolveToUndefined
  const existing = compiler.compile(exists, placeBelow(place, 'exists'))
  const filled = compiler.compile(blank, placeBelow(place, 'blank'))
  if (exists !== undefined) return (data) => (isNull(existing(data)) ? whenNot(data) : whenMet(data))
  return (data) => {
    const found = filled(data)
    return isNull(found) || isBlank(found) ? whenNot(data) : whenMet(data)
  }
}

const isNull = (value: unknown): boolean => value === undefined || value === null

/** Returns whether JavaScript holds a value that is not null to be loosely equal to '', as Segment tests it. */
function isBlank(value: unknown): boolean {
  return value === '' || value === 0 || value === false || (Array.isArray(value) && isBlankList(value))
}

/** Returns whether the text of a list is empty. */
function isBlankList([first, ...others]: readonly unknown[]): boolean {
  if (others.length > 0) return false
  return isNull(first) || first === '' || (Array.isArray(first) && isBlankList(first))
}

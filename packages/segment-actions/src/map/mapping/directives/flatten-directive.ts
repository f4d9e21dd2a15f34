import { type Directive, resolveToUndefined } from '../mapping-compiler.ts'
import { placeBelow } from '../place-below.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { directiveOptions } from './directive-options.ts'

/** `@flatten`: an object of one level, whose keys are the paths of the values, joined by `separator`. */
export const flattenDirective: Directive = (value, place, compiler) => {
  const options = directiveOptions(value, place, compiler, ['value'])
  if (options === undefined) return resolveToUndefined
  const { separator, value: source, omitArrays } = options
  if (typeof separator !== 'string' || separator === '')
    return compiler.report(placeBelow(place, 'separator'), separator, 'a text of at least one character')
  if (source === undefined) return compiler.report(placeBelow(place, 'value'), source, 'a value or a directive')
  const { keepsUndefined } = place
  const resolve = compiler.compile(source, { ...placeBelow(place, 'value'), keepsUndefined: true })
  return (data) => {
    const flat: Record<string, unknown> = {}
    addFlat(flat, resolve(data), '', separator, !omitArrays)
    return keepsUndefined ? flat : withoutUndefined(flat)
  }
}

function addFlat(flat: Record<string, unknown>, value: unknown, path: string, separator: string, opensLists: boolean) {
  if (typeof value === 'object' && value !== null && (opensLists || !Array.isArray(value))) {
    for (const [key, member] of Object.entries(value))
      addFlat(flat, member, path === '' ? key : path + separator + key, separator, opensLists)
  } else if (path !== '__proto__') flat[path] = value
}

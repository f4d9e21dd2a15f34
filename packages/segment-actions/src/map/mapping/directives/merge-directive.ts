import { isJsonObject } from '@sluice/core'
import { type Directive, resolveToUndefined } from '../mapping-compiler.ts'
import { placeBelow } from '../place-below.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { directiveOptions } from './directive-options.ts'

/**
 * `@merge`: one object of several. The last one wins, or the first with `direction: left`. An undefined member wins as well,
 * and then the result is without that member.
 */
export const mergeDirective: Directive = (value, place, compiler) => {
  const options = directiveOptions(value, place, compiler, ['objects'])
  if (options === undefined) return resolveToUndefined
  const { direction, objects } = options
  if (direction !== 'left' && direction !== 'right')
    return compiler.report(placeBelow(place, 'direction'), direction, '"left" or "right"')
  const list = placeBelow(place, 'objects')
  if (!Array.isArray(objects)) return compiler.report(list, objects, 'a list of objects and directives')
  const resolves = objects.map((object, index) => {
    const at = { ...placeBelow(list, index), keepsUndefined: true }
    return isJsonObject(object) ? compiler.compile(object, at) : compiler.report(at, object, 'an object or a directive')
  })
  if (direction === 'left') resolves.reverse()
  const { keepsUndefined } = place
  return (data) => {
    const merged: Record<string, unknown> = {}
    for (const resolve of resolves) assignMembers(merged, resolve(data))
    return keepsUndefined ? merged : withoutUndefined(merged)
  }
}

/** Assigns the members of a value as `Object.assign` does: also the items of a list and the characters of a text. */
function assignMembers(target: Record<string, unknown>, source: unknown): void {
  if (typeof source !== 'object' && typeof source !== 'string') return
  for (const [key, value] of Object.entries(source ?? {})) if (key !== '__proto__') target[key] = value
}

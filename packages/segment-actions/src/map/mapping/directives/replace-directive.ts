import type { JsonObject } from '@sluice/core'
import { type Directive, type MappingCompiler, type Place, resolveToUndefined } from '../mapping-compiler.ts'
import { placeBelow } from '../place-below.ts'
import { compileText, directiveOptions } from './directive-options.ts'

const lengthMax = 10 // characters of a pattern or a replacement; the limit of Segment

/**
 * `@replace`: a text in which a pattern, which is plain text, is replaced; then a second one. Numbers and booleans count
 * as text, and other values result in ''.
 */
export const replaceDirective: Directive = (value, place, compiler) => {
  const options = directiveOptions(value, place, compiler, ['value'])
  if (options === undefined) return resolveToUndefined
  const { value: source, pattern2 } = options
  for (const name of ['ignorecase', 'global'])
    if (options[name] !== undefined && typeof options[name] !== 'boolean')
      compiler.report(placeBelow(place, name), options[name], 'true or false')
  const first = replacer(options, 'pattern', 'replacement', place, compiler)
  const second = pattern2 ? replacer(options, 'pattern2', 'replacement2', place, compiler) : (text: string) => text
  const resolve = compileText(source, placeBelow(place, 'value'), compiler)
  if (source === '') return resolveToUndefined
  return (data) => {
    const found = resolve(data)
    const isText = typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    return isText ? second(first(String(found))) : ''
  }
}

function replacer(
  options: JsonObject,
  patternName: string,
  replacementName: string,
  place: Place,
  compiler: MappingCompiler,
): (text: string) => string {
  const { [patternName]: pattern, [replacementName]: replacement = '', ignorecase = false, global = true } = options
  const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= lengthMax
  if (!isShort(pattern) || pattern === '')
    compiler.report(placeBelow(place, patternName), pattern, `a text of 1 to ${lengthMax} characters`)
  else if (!isShort(replacement))
    compiler.report(placeBelow(place, replacementName), replacement, `a text of at most ${lengthMax} characters`)
  else {
    const literal = pattern.replaceAll(/[-[\]{}()*+?.,\\^$|#\s]/g, '\\$&')
    const search = new RegExp(literal, (global === true ? 'g' : '') + (ignorecase === true ? 'i' : ''))
    // `$&` and the like have their meaning in the replacement, as at Segment.
    return (text) => text.replace(search, replacement)
  }
  return (text) => text
}

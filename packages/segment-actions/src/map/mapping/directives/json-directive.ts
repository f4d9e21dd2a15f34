import { type Directive, resolveToUndefined } from '../mapping-compiler.ts'
import { placeBelow } from '../place-below.ts'
import { directiveOptions } from './directive-options.ts'

/** `@json`: the JSON text of a value (`encode`), or the value of a JSON text (`decode`; other texts stay as they are,
 * and so do texts of more than 512 levels). */
export const jsonDirective: Directive = (value, place, compiler) => {
  const options = directiveOptions(value, place, compiler, ['value'])
  if (options === undefined) return resolveToUndefined
  const { mode, value: source } = options
  if (mode !== 'encode' && mode !== 'decode')
    return compiler.report(placeBelow(place, 'mode'), mode, '"encode" or "decode"')
  if (!source) return compiler.report(placeBelow(place, 'value'), source, 'a directive, or a value that is not empty')
  const resolve = compiler.compile(source, placeBelow(place, 'value'))
  return mode === 'encode' ? (data) => JSON.stringify(resolve(data)) : (data) => decode(resolve(data))
}

function decode(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    const decoded: unknown = JSON.parse(value)
    return isDeeper(decoded, levelsMax) ? value : decoded
  } catch {
    return value
  }
}

/** Levels of events that ingestion accepts. Deeper values could not be written as JSON again, or only slowly. */
const levelsMax = 512

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}

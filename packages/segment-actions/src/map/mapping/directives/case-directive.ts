import { type Directive, resolveToUndefined } from '../mapping-compiler.ts'
import { placeBelow } from '../place-below.ts'
import { compileText, directiveOptions } from './directive-options.ts'

/** `@case`: a text in lower or upper case. Other values stay as they are. */
export const caseDirective: Directive = (value, place, compiler) => {
  const options = directiveOptions(value, place, compiler, ['value'])
  if (options === undefined) return resolveToUndefined
  const { operator, value: source } = options
  if (operator !== 'lower' && operator !== 'upper')
    return compiler.report(placeBelow(place, 'operator'), operator, '"lower" or "upper"')
  if (source === undefined || source === '') return resolveToUndefined
  const resolve = compileText(source, placeBelow(place, 'value'), compiler)
  return (data) => {
    const found = resolve(data)
    if (typeof found !== 'string') return found
    return operator === 'lower' ? found.toLowerCase() : found.toUpperCase()
  }
}

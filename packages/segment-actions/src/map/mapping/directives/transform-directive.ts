import { isJsonObject } from '@sluice/core'
import { type Directive, resolveToUndefined } from '../mapping-compiler.ts'
import { placeBelow } from '../place-below.ts'
import { directiveOptions } from './directive-options.ts'

/** `@transform`: two mappings: `mapping` works on the result of `apply`. */
export const transformDirective: Directive = (value, place, compiler) => {
  const options = directiveOptions(value, place, compiler, ['apply', 'mapping'])
  if (options === undefined) return resolveToUndefined
  const { apply, mapping } = options
  for (const name of ['apply', 'mapping'])
    if (!isJsonObject(options[name]))
      compiler.report(placeBelow(place, name), options[name], 'an object or a directive')
  const first = compiler.compileRoot(apply, { ...placeBelow(place, 'apply'), keepsUndefined: false })
  const second = compiler.compile(mapping, placeBelow(place, 'mapping'))
  return (data = {}) => {
    // Items of a list that `@arrayPath` walks may be of any type.
    if (!isJsonObject(data)) return compiler.fail(`What ${place.path} is applied to must be an object.`)
    return second(first(data))
  }
}

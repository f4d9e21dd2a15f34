import { parseKeyPath } from '../../path/key-path.ts'
import { createPathReader, readPath } from '../../path/path-reader.ts'
import type { Directive } from '../mapping-compiler.ts'
import { compileText } from './directive-options.ts'

/** `@path`: the value at a path of the event, such as `$.properties.total`. */
export const pathDirective: Directive = (value, place, compiler) => {
  if (typeof value === 'string') return createPathReader(parseKeyPath(value))
  const resolve = compileText(value, place, compiler)
  return (data) => {
    const path = resolve(data)
    if (typeof path !== 'string') return compiler.fail(`The path of ${place.path} must be a text.`)
    return readPath(data, parseKeyPath(path))
  }
}

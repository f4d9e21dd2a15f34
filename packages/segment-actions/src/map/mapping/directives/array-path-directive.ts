import { isJsonObject, type JsonValue } from '@sluice/core'
import { parseKeyPath } from '../../path/key-path.ts'
import { createPathReader } from '../../path/path-reader.ts'
import type { Directive } from '../mapping-compiler.ts'
import { placeBelow } from '../place-below.ts'
import { compileText } from './directive-options.ts'

/**
 * `@arrayPath`: a list whose items are mapped one by one, given as its path and the mapping of an item. A single object
 * counts as a list of one. Without a mapping for items, the value at the path is returned as it is.
 */
export const arrayPathDirective: Directive = (value, place, compiler) => {
  if (!Array.isArray(value)) return compiler.report(place, value, 'a list of a path and a mapping for items')
  const [path, shape]: readonly JsonValue[] = value
  const read =
    typeof path === 'string' ? createPathReader(parseKeyPath(path)) : compileText(path, placeBelow(place, 0), compiler)
  if (!isJsonObject(shape) || Object.keys(shape).length === 0) return read
  const resolve = compiler.compile(shape, placeBelow(place, 1))
  return (data) => {
    const found = read(data)
    if (typeof found !== 'object' || found === null) return found
    return Array.isArray(found) ? found.map((item) => resolve(item)) : [resolve(found)]
  }
}

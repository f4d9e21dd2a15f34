import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { MappingCompiler, Place, Resolve } from '../mapping-compiler.ts'
import { placeBelow } from '../place-below.ts'

/**
 * Returns the options of a directive that has several. Reports anything else than an object without directives.
 *
 * @param resolved options that the directive compiles. Directives in others are of no use, but Segment checks them.
 */
export function directiveOptions(
  value: JsonValue,
  place: Place,
  compiler: MappingCompiler,
  resolved: readonly string[],
): JsonObject | undefined {
  if (!isJsonObject(value) || isDirective(value)) {
    compiler.report(place, value, 'an object with the options of the directive')
    return undefined
  }
  for (const name of Object.keys(value))
    if (!resolved.includes(name)) compiler.compile(value[name], placeBelow(place, name))
  return value
}

/** Returns whether a node is a directive, right or wrong. */
function isDirective(node: JsonValue | undefined): node is JsonObject {
  return isJsonObject(node) && Object.keys(node).some((key) => key.startsWith('@'))
}

/** Compiles an option that is a text or a directive that gives one. Reports anything else. */
export function compileText(value: JsonValue | undefined, place: Place, compiler: MappingCompiler): Resolve {
  if (typeof value === 'string' || isDirective(value)) return compiler.compile(value, place)
  return compiler.report(place, value, 'a text or a directive')
}

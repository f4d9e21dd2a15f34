import type { JsonObject } from '@sluice/core'
import type { MappingError } from '../map/mapping-error.ts'
import { checkRules } from './check-rules.ts'
import { generateFunction } from './generate-function.ts'
import { linkClosures } from './link-closures.ts'
import type { Rule } from './rule.ts'

/** What rules are compiled to: the mapped object, always a new one, or why there is none. */
export type CompiledRules = (source: JsonObject, settings: JsonObject) => JsonObject | MappingError

/** A compiled set of rules, which can still be read. */
export interface Mapping extends CompiledRules {
  readonly rules: readonly Rule[]
}

/**
 * Makes one function of rules, which are applied in order. Each mapping is compiled when it is first used: to generated
 * code, or, where the platform does not allow that, to closures that do the same at two to twelve times the cost
 * (32 copying rules: 0.25 µs generated, 3.3 µs closures).
 *
 * Never changes what it is given. Values of the event are shared, not copied: the answer is to be read, not written.
 * @throws InvariantError at once when the rules contradict each other: see `checkRules`.
 */
export function mapping(rules: readonly Rule[]): Mapping {
  checkRules(rules)
  let compiled: CompiledRules | undefined
  const map: CompiledRules = (source, settings) => {
    compiled ??= compileRules(rules)
    return compiled(source, settings)
  }
  return Object.assign(map, { rules })
}

/** @param codeGeneration whether generating code may be tried. */
export function compileRules(rules: readonly Rule[], codeGeneration = true): CompiledRules {
  if (codeGeneration) {
    try {
      return generateFunction(rules)
    } catch (error) {
      // --disallow-code-generation-from-strings, or an edge runtime without eval.
      if (!(error instanceof EvalError)) throw error
    }
  }
  return linkClosures(rules)
}

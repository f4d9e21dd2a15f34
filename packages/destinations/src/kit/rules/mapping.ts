import { isMappingError } from '../map/mapping-error.ts'
import { checkRules } from './compile/check-rules.ts'
import type { CompiledRules } from './compile/compiled-rules.ts'
import { generateFunction } from './compile/generate-function.ts'
import { linkClosures } from './compile/link-closures.ts'
import { withOverrides } from './overrides.ts'
import type { Rule } from './rule.ts'

/** A compiled set of rules that can still be inspected. */
export interface Mapping extends CompiledRules {
  readonly rules: readonly Rule[]
}

/**
 * Creates one function from rules, which are applied in order. A mapping is compiled on first use: to generated code,
 * or, if the platform forbids that, to closures that do the same at two to twelve times the cost (32 copying rules:
 * 0.25 µs generated, 3.3 µs closures).
 *
 * Fields that the setting `overrides` maps are set last: see `overridesSetting`. Never changes its input. Values of the event are shared, not copied, so the result must not be modified.
 *
 * @throws InvariantError immediately when the rules contradict each other: see `checkRules`.
 */
export function mapping(rules: readonly Rule[]): Mapping {
  checkRules(rules)
  let compiled: CompiledRules | undefined
  const map: CompiledRules = (source, settings) => {
    compiled ??= compileRules(rules)
    const mapped = compiled(source, settings)
    const overrides = settings?.['overrides']
    return overrides === undefined || isMappingError(mapped) ? mapped : withOverrides(map, mapped, source, overrides)
  }
  return Object.assign(map, { rules })
}

/** @param codeGeneration whether to try code generation. */
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

import type { Directive } from '../mapping-compiler.ts'

const lengthMax = 1_000 // characters of a template; the limit of Segment

/** `@liquid`: a template in Liquid, rendered by Segment's own evaluator. */
export const liquidDirective: Directive = (template, place, compiler) => {
  const { evaluateLiquid } = compiler
  if (typeof template !== 'string' || template.length > lengthMax)
    return compiler.report(place, template, `a text of at most ${lengthMax} characters`)
  if (evaluateLiquid === undefined) return compiler.report(place, template, 'no @liquid: it is unavailable here')
  return (data) => {
    try {
      return evaluateLiquid(template, data)
    } catch (error) {
      return compiler.fail(`The template of ${place.path} failed: ${error instanceof Error ? error.message : error}`)
    }
  }
}

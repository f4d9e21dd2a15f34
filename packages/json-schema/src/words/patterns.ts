import { type Costs, spend, stepsOf } from '../bounds/steps.ts'
import type { CompileCosts, Compiling } from '../compiling.ts'
import type { Dialect } from '../dialect.ts'
import type { Pattern } from '../pattern.ts'

/** Steps that it takes to compile a pattern, and each of its characters. Classes such as `\p{L}` have hundreds of ranges. */
const stepsPerPattern = 1_000
const stepsPerChar = 20
const stepsPerClass = 1_500

/** Returns a compiled pattern: each source is compiled once. @throws Error when it cannot be used. */
export function patternOf({ vocabulary, unit }: Pick<Compiling, 'vocabulary' | 'unit'>, source: string): Pattern {
  const found = compilePattern(vocabulary.dialect, source, unit.root.costs)
  if (found instanceof Error) throw found
  return found
}

/** Compiles a pattern, unless it is known. @returns what is wrong when it cannot be used. */
export function compilePattern(dialect: Dialect, source: string, costs: CompileCosts): Pattern | Error {
  const known = costs.patterns.get(source)
  if (known) return known
  const classes = source.split(/\\p/i).length - 1
  spend(costs, stepsPerPattern + source.length * stepsPerChar + classes * stepsPerClass)
  const compiled = compiledPattern(dialect, source)
  costs.patterns.set(source, compiled)
  return compiled
}

function compiledPattern({ compilePattern }: Dialect, source: string): Pattern | Error {
  try {
    const regex = compilePattern(source)
    return {
      test(text, costs) {
        const steps = regex.stepsFor?.(text) ?? stepsOf(text)
        spend(costs, steps)
        const found = regex.test(text)
        // It may have turned out to be slow.
        spend(costs, (regex.stepsFor?.(text) ?? steps) - steps)
        return found
      },
    }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Words whose values have no patterns. */
const valueWords = new Set(['const', 'default', 'enum', 'examples', 'required'])

/** Returns the patterns of a schema, each once, and texts that may be some. */
export function patternsIn(schema: unknown, costs: Costs): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    spend(costs, 1)
    if (typeof value !== 'object' || value === null) return
    for (const [word, inner] of Object.entries(value)) {
      if (word === 'pattern' && typeof inner === 'string') found.add(inner)
      if (word === 'patternProperties') for (const source of Object.keys(Object(inner))) found.add(source)
      if (!valueWords.has(word)) visit(inner)
    }
  }
  visit(schema)
  return found
}

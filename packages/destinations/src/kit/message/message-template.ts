import Handlebars from '#inlined/handlebars'

/** Path of a value in a template: in the context that is `depth` blocks up, or among the `@` names. */
export interface ValuePath {
  readonly isData: boolean
  readonly depth: number
  readonly parts: readonly string[]
  /** Whether it was written as `this.…`, so that block parameters are not considered. */
  readonly isScoped: boolean
}

/**
 * A part of a template. `section` is a block named after a value: a list repeats it, other truthy values render it
 * once.
 */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly at: ValuePath; readonly isEscaped: boolean }
  | {
      readonly kind: 'if' | 'unless' | 'each' | 'with' | 'section'
      readonly at: ValuePath
      readonly body: readonly TemplatePart[]
      readonly otherwise: readonly TemplatePart[]
      /** Block parameters for value and key (`as |item key|`). */
      readonly names: readonly string[]
    }

export type ParsedTemplate =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | { readonly ok: false; readonly problem: string }

/**
 * Largest number of characters. Parsing this many takes the library 3 ms, and the time grows with the square of the
 * length.
 */
export const templateLengthMax = 1_000

/**
 * Parses a Handlebars template: values, `if`, `unless`, `each`, `with` and `{{newline}}`. Helpers with parameters,
 * partials and decorators are refused: settings are data, and must not run code or take more time than `renderMessage`
 * allows.
 * @example
 * ```ts
 * import { parseMessageTemplate } from '@sluice/destinations/kit'
 *
 * console.log('problem' in parseMessageTemplate('{{> partial}}')) // true
 * ```
 */
export function parseMessageTemplate(template: string): ParsedTemplate {
  if (template.length > templateLengthMax)
    return { ok: false, problem: `a template has at most ${templateLengthMax} characters` }
  try {
    return { ok: true, parts: partsOf(Handlebars.parse(template)) }
  } catch (error) {
    if (error instanceof TemplateProblem) return { ok: false, problem: error.message }
    const [line = ''] = error instanceof Error ? error.message.split('\n') : []
    return { ok: false, problem: `a template cannot be read: ${line}` }
  }
}

class TemplateProblem extends Error {}

function partsOf(program: hbs.AST.Program | undefined): readonly TemplatePart[] {
  return (program?.body ?? []).flatMap((statement): readonly TemplatePart[] => {
    switch (statement.type) {
      case 'ContentStatement':
        return [{ kind: 'text', text: (statement as hbs.AST.ContentStatement).value }]
      case 'CommentStatement':
        return []
      case 'MustacheStatement':
        return [valuePart(statement as hbs.AST.MustacheStatement)]
      case 'BlockStatement':
        return [blockPart(statement as hbs.AST.BlockStatement)]
      default:
        throw new TemplateProblem(`a template has a ${statement.type}; values and blocks are supported`)
    }
  })
}

function valuePart({ path, params, hash, escaped }: hbs.AST.MustacheStatement): TemplatePart {
  const at = pathOf(path)
  const name = at.parts.join('.')
  if (params.length > 0 || hash) throw new TemplateProblem(`a template calls ${name}, which is no helper here`)
  if (!at.isData && at.depth === 0 && !at.isScoped && name === 'newline') return { kind: 'text', text: '\n' }
  return { kind: 'value', at, isEscaped: escaped }
}

function blockPart({ path, params, hash, program, inverse }: hbs.AST.BlockStatement): TemplatePart {
  const [param, ...others] = params
  const named = pathOf(path)
  const name = named.parts.join('.')
  const inner = { body: partsOf(program), otherwise: partsOf(inverse), names: program?.blockParams ?? [] }
  if (param === undefined && !hash && !isBlockHelper(name)) return { kind: 'section', at: named, ...inner }
  if (param === undefined || others.length > 0 || hash || !isBlockHelper(name))
    throw new TemplateProblem(`a template has a block ${name} that is not if, unless, each or with one value`)
  return { kind: name, at: pathOf(param), ...inner }
}

function isBlockHelper(name: string): name is 'if' | 'unless' | 'each' | 'with' {
  return name === 'if' || name === 'unless' || name === 'each' || name === 'with'
}

function pathOf(expression: hbs.AST.Expression): ValuePath {
  if (expression.type === 'PathExpression') {
    const { data, depth, parts, original } = expression as hbs.AST.PathExpression
    if (!parts.every((part) => typeof part === 'string'))
      throw new TemplateProblem('a template calls a helper in a path')
    return { isData: data, depth, parts, isScoped: /^(?:\.|this\b)/.test(original) }
  }
  if (!('original' in expression))
    throw new TemplateProblem(`a template has a ${expression.type} where a value belongs`)
  return { isData: false, depth: 0, parts: [String(expression.original)], isScoped: false }
}

import { type AnyNode, type Program, parse, type Token } from 'acorn'

/** A syntax tree, with information that is not in the tree. */
export interface ParsedModule {
  readonly program: Program
  readonly tokens: readonly Token[]
  /** Returns the line of an offset, from 1. Line ends are those of the sandbox. */
  lineOf(offset: number): number
}

/** Longest code that is parsed; no transformation is as long. */
const codeCharsMax = 1024 * 1024

/**
 * Parses an ES module without types.
 * @returns a message when it cannot be parsed.
 */
export function parseModule(code: string): ParsedModule | { readonly problem: string } {
  if (code.length > codeCharsMax) return { problem: `the code has more than ${codeCharsMax} characters` }
  const tokens: Token[] = []
  try {
    const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true, onToken: tokens })
    return { program, tokens, lineOf: lineFinder(code) }
  } catch (thrown) {
    // The parser's message ends with the place. The only other error is unbounded recursion.
    return { problem: thrown instanceof SyntaxError ? thrown.message : 'the code is nested too deeply to be parsed' }
  }
}

function lineFinder(code: string): (offset: number) => number {
  const starts = [0]
  for (let end = code.indexOf('\n'); end !== -1; end = code.indexOf('\n', end + 1)) starts.push(end + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** Returns the first token with this text at or after `offset`. @throws RangeError when there is none. */
export function tokenFrom({ tokens }: ParsedModule, offset: number, label: string): Token {
  let low = 0
  let high = tokens.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tokens[middle]?.start ?? 0) < offset) low = middle + 1
    else high = middle
  }
  const found = tokens.slice(low, low + lookahead).find(({ type }) => type.label === label)
  if (found === undefined) throw new RangeError(`no ${label} after ${offset}`)
  return found
}

/** Most parentheses between a node and the searched token. */
const lookahead = 1_000

/** Returns the children of a node, in the order of the tree's fields. */
export function childrenOf(node: AnyNode): readonly AnyNode[] {
  return Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]).filter(isNode))
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Such a value is named after its place, so it must stay there. */
export function isNamedByPlace(node: AnyNode): boolean {
  if (node.type === 'ArrowFunctionExpression') return true
  return (node.type === 'FunctionExpression' || node.type === 'ClassExpression') && !node.id
}

/**
 * Returns whether a statement does something worth counting at its place. Hoisted declarations and empty statements do
 * not.
 */
export function isCounted(node: AnyNode): boolean {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'EmptyStatement':
    case 'BlockStatement':
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return false
    case 'ExpressionStatement':
      return node.directive === undefined
    case 'VariableDeclaration':
      return node.declarations.some(({ init }) => init)
    case 'ExportNamedDeclaration':
      return node.declaration ? isCounted(node.declaration) : false
    case 'ExportDefaultDeclaration':
      return node.declaration.type !== 'FunctionDeclaration'
    default:
      return true
  }
}

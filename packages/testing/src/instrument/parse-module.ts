import { type AnyNode, type Program, parse, type Token } from 'acorn'

/** Code as a tree, with what cannot be read from the tree. */
export interface ParsedModule {
  readonly program: Program
  readonly tokens: readonly Token[]
  /** The line of a place in the code, from 1; lines end where the sandbox ends them. */
  lineOf(offset: number): number
}

/** Longer code is not looked at; no transformation is as long. */
const codeCharsMax = 1024 * 1024

/**
 * Parses an ES module whose types are gone.
 * @returns why it cannot be, in words, where it cannot.
 */
export function parseModule(code: string): ParsedModule | { readonly problem: string } {
  if (code.length > codeCharsMax) return { problem: `the code has more than ${codeCharsMax} characters` }
  const tokens: Token[] = []
  try {
    const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true, onToken: tokens })
    return { program, tokens, lineOf: lineFinder(code) }
  } catch (thrown) {
    // The message of the parser ends with the place; recursion without end is the only other thing it throws.
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

/** The first token with this text that begins at `offset` or later. @throws RangeError when there is none. */
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

/** Parentheses that may close between a node and what is looked for. */
const lookahead = 1_000

/** The nodes right below a node, in the order of the tree's own fields. */
export function childrenOf(node: AnyNode): readonly AnyNode[] {
  return Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]).filter(isNode))
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Such a value gets its name from where it stands, so it must keep standing there. */
export function isNamedByPlace(node: AnyNode): boolean {
  if (node.type === 'ArrowFunctionExpression') return true
  return (node.type === 'FunctionExpression' || node.type === 'ClassExpression') && !node.id
}

/** Whether a statement does something at its place that is worth counting: declarations that were hoisted, and empty ones, do not. */
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

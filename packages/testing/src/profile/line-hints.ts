import type { AnyNode } from 'acorn'
import { childrenOf, type ParsedModule, parseModule } from '../instrument/parse-module.ts'

/** Constructs that are known to take time. */
export type LineHint = 'regex' | 'JSON.parse' | 'JSON.stringify' | 'loop' | 'fetch'

const loops = ['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']
const fetches = ['fetch', 'fetchV2']

/**
 * Returns the hints for the lines of a module without types, by line from 1. A regex counts on its own line and where
 * the constant with it is used. Code that cannot be parsed has no hints.
 */
export function lineHints(code: string): ReadonlyMap<number, readonly LineHint[]> {
  const parsed = parseModule(code)
  try {
    return 'problem' in parsed ? new Map() : hintsOf(parsed)
  } catch (thrown) {
    // Nested too deeply for the recursion here.
    if (thrown instanceof RangeError) return new Map()
    throw thrown
  }
}

function hintsOf(parsed: ParsedModule): ReadonlyMap<number, readonly LineHint[]> {
  const regexNames = new Set<string>()
  const hints = new Map<number, LineHint[]>()
  const add = (node: AnyNode, hint: LineHint): void => {
    const line = parsed.lineOf(node.start)
    const known = hints.get(line) ?? []
    if (!known.includes(hint)) hints.set(line, [...known, hint])
  }
  const each = (node: AnyNode, action: (node: AnyNode) => void): void => {
    action(node)
    for (const child of childrenOf(node)) each(child, action)
  }
  each(parsed.program, (node) => {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init && isRegex(node.init))
      regexNames.add(node.id.name)
  })
  each(parsed.program, (node) => {
    if (isRegex(node)) add(node, 'regex')
    else if (node.type === 'Identifier' && regexNames.has(node.name)) add(node, 'regex')
    else if (loops.includes(node.type)) add(node, 'loop')
    else if (node.type === 'CallExpression') {
      const { callee } = node
      if (callee.type === 'Identifier' && fetches.includes(callee.name)) add(callee, 'fetch')
      const json = jsonCall(callee)
      if (json) add(callee.type === 'MemberExpression' ? callee.property : callee, json)
    }
  })
  return hints
}

function isRegex(node: AnyNode): boolean {
  if (node.type === 'Literal') return 'regex' in node && node.regex !== undefined && node.regex !== null
  const isCall = node.type === 'NewExpression' || node.type === 'CallExpression'
  return isCall && node.callee.type === 'Identifier' && node.callee.name === 'RegExp'
}

function jsonCall(callee: AnyNode): LineHint | undefined {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier' || callee.object.name !== 'JSON')
    return undefined
  if (callee.property.type !== 'Identifier') return undefined
  if (callee.property.name === 'parse') return 'JSON.parse'
  return callee.property.name === 'stringify' ? 'JSON.stringify' : undefined
}

import type { SyntaxNode } from '@lezer/common'
import { parser } from '@lezer/javascript'

/** Names from the top; items of lists have none. */
type KeyPath = readonly string[]

/** Methods that call a function with each item of a list. */
const itemMethods = new Set(
  'map flatMap filter find findLast some every forEach findIndex reduce toSorted sort'.split(' '),
)
const language = parser.configure({ dialect: 'ts' })

/**
 * Returns the keys of events that the code of a transformation reads or sets, as dotted paths without indexes of lists.
 *
 * It follows names, not values: the first parameter of `transformEvent` and `transformBatch`, and what is declared from it.
 * An event that is passed to another function is not followed, and names are those of the whole code.
 */
export function readPaths(code: string): ReadonlySet<string> {
  const found = new Set<string>()
  /** What a name stands for: the event, or a key of it. */
  const places = new Map<string, KeyPath>()
  const textOf = ({ from, to }: SyntaxNode): string => code.slice(from, to)
  const pathOf = (node: SyntaxNode | null): KeyPath | undefined => {
    if (node === null) return undefined
    if (node.name === 'VariableName') return places.get(textOf(node))
    if (node.name === 'MemberExpression') return memberPath(node)
    if (node.name === 'CallExpression') return calledOn(node)
    if (!transparent.has(node.name)) return undefined
    const inner = childrenOf(node).find(({ name }) => valueNames.has(name))
    return inner && pathOf(inner)
  }
  const memberPath = (node: SyntaxNode): KeyPath | undefined => {
    const holder = pathOf(node.firstChild)
    const last = childrenOf(node).findLast(({ name }) => name !== ']')
    if (holder === undefined || last === undefined) return undefined
    if (last.name === 'PropertyName') return [...holder, textOf(last)]
    // Any other index is that of an item of a list.
    return last.name === 'String' ? [...holder, textOf(last).slice(1, -1)] : holder
  }
  /** A method of a value gives nothing of the event, but for lists: their items, whichever are taken. */
  const calledOn = (node: SyntaxNode): KeyPath | undefined => {
    const callee = node.firstChild
    const method = callee && callee.name === 'MemberExpression' ? callee.lastChild : null
    return method && itemMethods.has(textOf(method)) ? pathOf(callee?.firstChild ?? null) : undefined
  }
  const bind = (target: SyntaxNode | null, path: KeyPath): void => {
    if (target === null) return
    if (target.name === 'VariableDefinition') places.set(textOf(target), path)
    if (target.name === 'ArrayPattern') for (const each of childrenOf(target)) bind(each, path)
    if (target.name !== 'ObjectPattern') return
    for (const property of childrenOf(target).filter(({ name }) => name === 'PatternProperty')) {
      const [key, ...others] = childrenOf(property)
      if (key === undefined || key.name === 'Spread') continue
      const own = [...path, textOf(key).replaceAll(/^['"]|['"]$/g, '')]
      found.add(own.join('.'))
      const renamed = others.find(({ name }) => targetNames.has(name))
      if (renamed) bind(renamed, own)
      else places.set(textOf(key), own)
    }
  }
  const firstParameter = (owner: SyntaxNode, index = 0): SyntaxNode | null =>
    childrenOf(owner.getChild('ParamList') ?? owner).filter(({ name }) => targetNames.has(name))[index] ?? null
  const visit = (node: SyntaxNode): void => {
    if (node.name === 'FunctionDeclaration' && isEntry(textOf(node.getChild('VariableDefinition') ?? node)))
      bind(firstParameter(node), [])
    if (node.name === 'VariableDeclaration') declare(node)
    if (node.name === 'ForOfSpec') {
      const path = pathOf(node.lastChild?.name === ')' ? (node.lastChild.prevSibling ?? null) : node.lastChild)
      if (path) for (const each of childrenOf(node)) bind(each, path)
    }
    if (node.name === 'CallExpression') {
      const path = calledOn(node)
      const [given] = childrenOf(node.getChild('ArgList') ?? node).filter(({ name }) => functionNames.has(name))
      const isReduce = node.firstChild && textOf(node.firstChild).endsWith('reduce')
      if (path && given) bind(firstParameter(given, isReduce ? 1 : 0), path)
    }
    if (node.name === 'MemberExpression') read(node)
    for (const child of childrenOf(node)) visit(child)
  }
  const declare = (node: SyntaxNode): void => {
    const parts = childrenOf(node)
    for (const [n, part] of parts.entries()) {
      if (!targetNames.has(part.name)) continue
      const equals = parts.findIndex(({ name }, at) => at > n && (name === 'Equals' || name === ','))
      const value = parts[equals]?.name === 'Equals' ? parts[equals + 1] : undefined
      if (value === undefined) continue
      if (functionNames.has(value.name) && isEntry(textOf(part))) bind(firstParameter(value), [])
      const path = pathOf(value)
      if (path) bind(part, path)
    }
  }
  const read = (node: SyntaxNode): void => {
    if (node.parent?.name === 'MemberExpression' && node.parent.firstChild?.from === node.from && pathOf(node.parent))
      return
    const isMethod = node.parent?.name === 'CallExpression' && node.parent.firstChild?.to === node.to
    const path = isMethod ? pathOf(node.firstChild) : pathOf(node)
    if (path && path.length > 0) found.add(path.join('.'))
  }
  visit(language.parse(code).topNode)
  return found
}

const isEntry = (name: string): boolean => name === 'transformEvent' || name === 'transformBatch'
const functionNames = new Set(['ArrowFunction', 'FunctionExpression'])
const targetNames = new Set(['VariableDefinition', 'ObjectPattern', 'ArrayPattern'])
/** What has the value of its first part: `(a)`, `a ?? {}`, `a as Order`, `await a`. */
const transparent = new Set(['ParenthesizedExpression', 'BinaryExpression', 'AwaitExpression', 'UnaryExpression'])
const valueNames = new Set(['VariableName', 'MemberExpression', 'CallExpression', ...transparent])

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

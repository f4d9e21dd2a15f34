import type { AnyNode } from 'acorn'
import { childrenOf } from './parse-module.ts'

/** Nodes that are functions. */
export type FunctionNode = Extract<AnyNode, { body: unknown; params: unknown }>

/** Visitors for some node types. For all other nodes, the children are visited. */
export type Visits = {
  readonly [T in AnyNode['type']]?: (node: Extract<AnyNode, { type: T }>, name: string | undefined) => void
}

/** Visits a node. `name` is the name an anonymous function or class would get at its place. */
type Visit = (node: AnyNode, name?: string) => void

/** @param visits is called for each node, so that it can use the returned function. */
export function createVisit(visits: () => Visits): Visit {
  const visit: Visit = (node, name) => {
    const one = visits()[node.type] as ((node: AnyNode, name: string | undefined) => void) | undefined
    if (one) one(node, name)
    else for (const child of childrenOf(node)) visit(child)
  }
  return visit
}

/** Returns the name that a value gets from its place. */
export function nameOf(node: AnyNode): string | undefined {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'PrivateIdentifier') return `#${node.name}`
  if (node.type === 'Literal') return String(node.value)
  return node.type === 'MemberExpression' && !node.computed ? nameOf(node.property) : undefined
}

/** Returns the directives at the beginning of a body. */
export function directivesOf(body: Extract<AnyNode, { type: 'BlockStatement' }>): readonly AnyNode[] {
  return body.body.filter((one) => one.type === 'ExpressionStatement' && one.directive !== undefined)
}

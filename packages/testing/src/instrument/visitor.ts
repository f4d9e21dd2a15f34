import type { AnyNode } from 'acorn'
import { childrenOf } from './parse-module.ts'

/** Kinds of nodes that are functions. */
export type FunctionNode = Extract<AnyNode, { body: unknown; params: unknown }>

/** What is done at nodes of some types; at all others, their children are visited. */
export type Visits = {
  readonly [T in AnyNode['type']]?: (node: Extract<AnyNode, { type: T }>, name: string | undefined) => void
}

/** Visits a node. `name` is what a function or class at its place would be called. */
export type Visit = (node: AnyNode, name?: string) => void

/** @param visits is asked for anew at each node, so that it can use what this gives. */
export function createVisit(visits: () => Visits): Visit {
  const visit: Visit = (node, name) => {
    const one = visits()[node.type] as ((node: AnyNode, name: string | undefined) => void) | undefined
    if (one) one(node, name)
    else for (const child of childrenOf(node)) visit(child)
  }
  return visit
}

/** The name that a value gets from where it is kept. */
export function nameOf(node: AnyNode): string | undefined {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'PrivateIdentifier') return `#${node.name}`
  if (node.type === 'Literal') return String(node.value)
  return node.type === 'MemberExpression' && !node.computed ? nameOf(node.property) : undefined
}

/** The directives that a body begins with. */
export function directivesOf(body: Extract<AnyNode, { type: 'BlockStatement' }>): readonly AnyNode[] {
  return body.body.filter((one) => one.type === 'ExpressionStatement' && one.directive !== undefined)
}

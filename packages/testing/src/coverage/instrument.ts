import type { AnyNode, Statement } from 'acorn'
import { createCodeEdits, freeName, startOf } from '../instrument/code-edits.ts'
import {
  childrenOf,
  isCounted,
  isNamedByPlace,
  type ParsedModule,
  parseModule,
  tokenFrom,
} from '../instrument/parse-module.ts'
import { createVisit, directivesOf, type FunctionNode, nameOf, type Visits } from '../instrument/visit.ts'
import { type CodePlaces, createPlaceList, type ProbePlace } from './code-places.ts'

export interface InstrumentedCode {
  readonly code: string
  readonly places: CodePlaces
}

/**
 * Inserts probes into an ES module without types, to count its statements, functions and branches. The behaviour stays
 * the same, except for its own text (`toString`), columns of errors, and speed. Lines do not move.
 *
 * Not counted: optional chaining (`?.`), declarations without a value, and default values that are anonymous functions
 * or classes, because they are named after their place.
 *
 * @param nextProbe assigns a number to each probe; if it throws a RangeError, the code stays unchanged.
 * @returns the reason when the code stays unchanged because it cannot be parsed.
 */
export function instrument(code: string, nextProbe: () => number): InstrumentedCode | { readonly problem: string } {
  const parsed = parseModule(code)
  if ('problem' in parsed) return parsed
  try {
    const instrumented = withProbes(code, parsed, nextProbe)
    // Checks that the result is valid code.
    const again = parseModule(instrumented.code)
    return 'problem' in again ? { problem: `probes cannot be put into it: ${again.problem}` } : instrumented
  } catch (thrown) {
    if (thrown instanceof RangeError) return { problem: thrown.message }
    throw thrown
  }
}

function withProbes(code: string, parsed: ParsedModule, nextProbe: () => number): InstrumentedCode {
  const edits = createCodeEdits(code)
  const places = createPlaceList(nextProbe, parsed.lineOf)
  const hits = freeName(code, '$hits')
  const first = freeName(code, '$first')
  const passed = ({ probe }: ProbePlace): string => `${hits}[${probe}]++||${first}()`
  const statementText = (node: AnyNode): string => (isCounted(node) ? `${passed(places.statement(node))};` : '')

  function visitList(nodes: readonly AnyNode[]): void {
    for (const node of nodes) {
      edits.open(node.start, statementText(node))
      visit(node)
    }
  }

  /** Visits the body of a loop or of an `if` branch, which may be a statement without braces. */
  function visitBody(body: Statement, pathText = ''): void {
    const isBlock = body.type === 'BlockStatement'
    edits.open(body.start + (isBlock ? 1 : 0), isBlock ? pathText : `{${pathText}${statementText(body)}`)
    visit(body)
    if (!isBlock) edits.close(body.end, '}')
  }

  /**
   * Counts an expression when it is evaluated. An anonymous function would get no name from `name`, because its place
   * changes.
   */
  function visitCounted(node: AnyNode, ...counted: readonly ProbePlace[]): void {
    edits.open(node.start, `(${counted.map(passed).join()},`)
    visit(node)
    edits.close(node.end, ')')
  }

  function visitOperands(path: (node: AnyNode) => ProbePlace, node: AnyNode): void {
    if (node.type === 'LogicalExpression') {
      visitOperands(path, node.left)
      visitOperands(path, node.right)
    } else visitCounted(node, path(node))
  }

  function visitFunction(node: FunctionNode, name: string | undefined): void {
    const entered = places.function(node, node.id?.name ?? name)
    for (const param of node.params) visit(param)
    const { body } = node
    if (body.type === 'BlockStatement') {
      const directive = directivesOf(body).at(-1)
      edits.open(directive?.end ?? body.start + 1, `${directive ? ';' : ''}${passed(entered)};`)
      visitList(body.body)
    } else visitCounted(body, entered, places.statement(body))
  }

  function visitLoop(node: Extract<AnyNode, { body: Statement }>): void {
    for (const child of childrenOf(node)) if (child !== node.body) visit(child)
    visitBody(node.body)
  }

  /** A value that is named after its place stays there, uncounted. */
  function visitDefault(node: AnyNode & { left: AnyNode; right: AnyNode }): void {
    visit(node.left)
    if (isNamedByPlace(node.right)) visit(node.right, nameOf(node.left))
    else visitCounted(node.right, places.branch('default', node)(node.right))
  }

  function visitMember(node: Extract<AnyNode, { key: unknown; computed: boolean }>): void {
    if (node.computed) visit(node.key)
    if (!node.value) return
    if (node.type === 'PropertyDefinition' && !isNamedByPlace(node.value))
      visitCounted(node.value, places.statement(node.value))
    else visit(node.value, nameOf(node.key))
  }

  const visits: Visits = {
    Program: ({ body }) => visitList(body),
    BlockStatement: ({ body }) => visitList(body),
    StaticBlock: ({ body }) => visitList(body),
    IfStatement(node) {
      visit(node.test)
      const path = places.branch('if', node)
      visitBody(node.consequent, `${passed(path(node.consequent))};`)
      const other = `${passed(path(node.alternate ?? node))};`
      if (node.alternate) visitBody(node.alternate, other)
      else edits.close(node.consequent.end, `else{${other}}`)
    },
    ForStatement: visitLoop,
    ForInStatement: visitLoop,
    ForOfStatement: visitLoop,
    WhileStatement: visitLoop,
    DoWhileStatement: visitLoop,
    SwitchStatement(node) {
      visit(node.discriminant)
      const path = places.branch('switch', node)
      for (const one of node.cases) {
        if (one.test) visit(one.test)
        const colon = tokenFrom(parsed, one.test?.end ?? one.start, ':')
        edits.open(colon.end, `${passed(path(one))};`)
        visitList(one.consequent)
      }
    },
    ConditionalExpression(node) {
      visit(node.test)
      const path = places.branch('conditional', node)
      visitCounted(node.consequent, path(node.consequent))
      visitCounted(node.alternate, path(node.alternate))
    },
    LogicalExpression: (node) => visitOperands(places.branch('logical', node), node),
    AssignmentExpression(node) {
      if (['&&=', '||=', '??='].includes(node.operator)) return visitDefault(node)
      visit(node.left)
      visit(node.right, nameOf(node.left))
    },
    AssignmentPattern: visitDefault,
    FunctionDeclaration: visitFunction,
    FunctionExpression: visitFunction,
    ArrowFunctionExpression: visitFunction,
    VariableDeclarator({ id, init }) {
      visit(id)
      if (init) visit(init, nameOf(id))
    },
    Property: visitMember,
    MethodDefinition: visitMember,
    PropertyDefinition: visitMember,
    ExportDefaultDeclaration: ({ declaration }) => visit(declaration, 'default'),
  }
  const visit = createVisit(() => visits)

  edits.open(startOf(code), `import{hits as ${hits},first as ${first}}from'@sluice/probe';`)
  visit(parsed.program)
  return { code: edits.apply(), places }
}

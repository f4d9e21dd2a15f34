import type { AnyNode, Expression, Statement } from 'acorn'
import { type CodeEdits, createCodeEdits, freeName, startOf } from '../instrument/code-edits.ts'
import { childrenOf, isCounted, type ParsedModule, parseModule, tokenFrom } from '../instrument/parse-module.ts'
import { createVisit, directivesOf, type FunctionNode, type Visits } from '../instrument/visit.ts'

export interface MarkedCode {
  readonly code: string
  /** Probe by line, from 1. */
  readonly lines: ReadonlyMap<number, number>
  /** Lines that are marked only because functions begin there, and whose parameters need no code. */
  readonly entries: ReadonlySet<number>
}

/**
 * Inserts marks into an ES module without types, by which time is attributed to lines: at each statement, at each call
 * in a statement of several lines, and where a function begins, ends, awaits and resumes. The time of a function with
 * marks is its own; that of a built-in (a regex, JSON.parse) belongs to the calling line. Lines do not move.
 *
 * Generators, and functions with `for await`, are marked only at their statements: until the next mark, the code after
 * them counts as theirs.
 *
 * @param nextProbe assigns a number to each line; if it throws a RangeError, the code stays unchanged.
 */
export function markLines(code: string, nextProbe: () => number): MarkedCode | { readonly problem: string } {
  const parsed = parseModule(code)
  if ('problem' in parsed) return parsed
  try {
    const marked = new LineMarker(code, parsed, nextProbe).run()
    // A function that declares a name twice is valid, but not once its body is in a block.
    const again = parseModule(marked.code)
    return 'problem' in again ? { problem: `marks cannot be put into it: ${again.problem}` } : marked
  } catch (thrown) {
    if (thrown instanceof RangeError) return { problem: thrown.message }
    throw thrown
  }
}

const exported = ['mark', 'at', 'enter', 'leave', 'resume', 'stop'] as const
type MarkName = (typeof exported)[number]

type CallNode = Extract<AnyNode, { type: 'CallExpression' | 'NewExpression' }>

/** Context of the marks. */
interface Surroundings {
  /** Calls get their own marks. */
  readonly isLong: boolean
  /** The function hands back its time at each await. */
  readonly isAsync: boolean
  /** The object of a call must not be separated from an optional chain. */
  readonly isChain: boolean
}

class LineMarker {
  readonly #code: string
  readonly #parsed: ParsedModule
  readonly #nextProbe: () => number
  readonly #edits: CodeEdits
  readonly #lines = new Map<number, number>()
  readonly #entered = new Set<number>()
  readonly #marked = new Set<number>()
  readonly #names: Readonly<Record<MarkName, string>>
  readonly #visit: (node: AnyNode) => void
  #now: Surroundings = { isLong: false, isAsync: false, isChain: false }

  constructor(code: string, parsed: ParsedModule, nextProbe: () => number) {
    this.#code = code
    this.#parsed = parsed
    this.#nextProbe = nextProbe
    this.#edits = createCodeEdits(code)
    const names = exported.map((name) => [name, freeName(code, `$${name}`)])
    this.#names = Object.fromEntries(names) as Record<MarkName, string>
    this.#visit = createVisit(() => this.#visits)
  }

  run(): MarkedCode {
    const imports = exported.map((name) => `${name} as ${this.#names[name]}`).join()
    this.#edits.open(startOf(this.#code), `import{${imports}}from'@sluice/probe';`)
    this.#visit(this.#parsed.program)
    // On a line of its own, because the last line may end with a comment.
    this.#edits.close(this.#code.length, `\n;${this.#names.stop}();`)
    const entries = [...this.#entered].filter((line) => !this.#marked.has(line))
    return { code: this.#edits.apply(), lines: this.#lines, entries: new Set(entries) }
  }

  readonly #visits: Visits = {
    Program: ({ body }) => this.#list(body),
    BlockStatement: ({ body }) => this.#list(body),
    StaticBlock: ({ body }) => this.#list(body),
    SwitchCase: ({ test, consequent }) => {
      if (test) this.#visit(test)
      this.#list(consequent)
    },
    IfStatement: ({ test, consequent, alternate }) => {
      this.#visit(test)
      this.#body(consequent)
      if (alternate) this.#body(alternate)
    },
    ForStatement: (node) => this.#loop(node, node.test),
    WhileStatement: (node) => this.#loop(node, node.test),
    DoWhileStatement: (node) => this.#loop(node, node.test),
    ForInStatement: (node) => this.#loop(node),
    ForOfStatement: (node) => this.#loop(node),
    FunctionDeclaration: (node) => this.#function(node),
    FunctionExpression: (node) => this.#function(node),
    ArrowFunctionExpression: (node) => this.#function(node),
    AwaitExpression: (node) => this.#await(node, node.argument),
    ChainExpression: (node) => this.#within({ ...this.#now, isChain: true }, () => this.#visit(node.expression)),
    CallExpression: (node) => this.#call(node, node.callee),
    NewExpression: (node) => this.#call(node),
  }

  /** Returns the probe of the line of an offset. */
  #probe(offset: number): number {
    const line = this.#parsed.lineOf(offset)
    const known = this.#lines.get(line)
    if (known !== undefined) return known
    const probe = this.#nextProbe()
    this.#lines.set(line, probe)
    return probe
  }

  #text(name: Exclude<MarkName, 'leave' | 'stop'>, offset: number): string {
    if (name !== 'enter') this.#marked.add(this.#parsed.lineOf(offset))
    return `${this.#names[name]}(${this.#probe(offset)}`
  }

  #list(statements: readonly AnyNode[]): void {
    for (const statement of statements) {
      if (isCounted(statement)) this.#edits.open(statement.start, `${this.#text('mark', statement.start)});`)
      this.#statement(statement)
    }
  }

  #statement(node: AnyNode): void {
    const { lineOf } = this.#parsed
    const isLong = lineOf(headEnd(node) - 1) > lineOf(node.start)
    this.#within({ ...this.#now, isLong }, () => this.#visit(node))
  }

  /** Marks the body of a loop or of an `if` branch, which may be a statement without braces. */
  #body(body: Statement): void {
    const isBlock = body.type === 'BlockStatement'
    if (!isBlock) this.#edits.open(body.start, `{${isCounted(body) ? `${this.#text('mark', body.start)});` : ''}`)
    this.#statement(body)
    if (!isBlock) this.#edits.close(body.end, '}')
  }

  #loop(node: Extract<AnyNode, { body: Statement }>, test?: Expression | null): void {
    for (const child of childrenOf(node)) {
      if (child === node.body) this.#body(node.body)
      else if (child === test) this.#around(test, `(${this.#text('mark', test.start)}),(`, '))')
      else this.#visit(child)
    }
  }

  #around(node: AnyNode, before: string, after: string): void {
    this.#edits.open(node.start, before)
    this.#visit(node)
    this.#edits.close(node.end, after)
  }

  #function(node: FunctionNode): void {
    const handsOver = node.generator || hasForAwait(node.body)
    const outer: Surroundings = { isLong: false, isAsync: false, isChain: false }
    this.#within(outer, () => {
      for (const param of node.params) this.#visit(param)
    })
    const inner = { ...outer, isAsync: node.async && !handsOver }
    this.#within(inner, () => this.#functionBody(node, handsOver))
  }

  #functionBody(node: FunctionNode, handsOver: boolean): void {
    const { body } = node
    const isBlock = body.type === 'BlockStatement'
    const isPlain = isBlock && node.params.every(({ type }) => type === 'Identifier')
    const places = isPlain ? this.#entered : this.#marked
    places.add(this.#parsed.lineOf(isBlock ? node.start : body.start))
    const begin = `${this.#text('enter', isBlock ? node.start : body.start)});try{`
    const end = `}finally{${this.#names.leave}()}`
    if (!isBlock) {
      // Parentheses and comments around the body become part of the returned expression.
      const arrow = tokenFrom(this.#parsed, node.params.at(-1)?.end ?? node.start, '=>')
      this.#edits.open(arrow.end, `{${begin}return(`)
      this.#statement(body)
      this.#edits.close(node.end, `)${end}}`)
      return
    }
    const directive = directivesOf(body).at(-1)
    if (!handsOver) this.#edits.open(directive?.end ?? body.start + 1, `${directive ? ';' : ''}${begin}`)
    this.#list(body.body)
    // An opening text, so that it comes after the opening texts of an empty body.
    if (!handsOver) this.#edits.open(body.end - 1, end)
  }

  #await(node: AnyNode, argument: Expression): void {
    const { isAsync } = this.#now
    this.#edits.open(node.start, `${this.#text(isAsync ? 'resume' : 'at', node.start)},`)
    if (isAsync) this.#around(argument, `${this.#names.leave}((`, '))')
    else this.#visit(argument)
    this.#edits.close(node.end, ')')
  }

  /** Marks a call right before it is made: at its last argument, or at the object of the method. */
  #call(node: CallNode, callee?: AnyNode): void {
    const place = (node.callee.type === 'MemberExpression' ? node.callee.property.end : node.callee.end) - 1
    const last = node.arguments.at(-1)
    const isMember = callee?.type === 'MemberExpression' && callee.object.type !== 'Super' && !this.#now.isChain
    const marked = !this.#now.isLong ? undefined : (last ?? (isMember ? callee.object : undefined))
    const target = marked?.type === 'SpreadElement' ? marked.argument : marked
    const visitMarked = (child: AnyNode): void => {
      if (child === target) this.#around(child, `${this.#text('at', place)},(`, '))')
      else if (child === marked || (child === callee && marked && !last))
        for (const inner of childrenOf(child)) visitMarked(inner)
      else this.#visit(child)
    }
    for (const child of childrenOf(node)) visitMarked(child)
  }

  #within(surroundings: Surroundings, action: () => void): void {
    const before = this.#now
    this.#now = surroundings
    action()
    this.#now = before
  }
}

/** Returns the end of the part of a statement that belongs to it alone. */
function headEnd(node: AnyNode): number {
  switch (node.type) {
    case 'IfStatement':
      return node.consequent.start
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'LabeledStatement':
      return node.body.start
    case 'TryStatement':
      return node.block.start
    case 'SwitchStatement':
      return node.discriminant.end
    default:
      return node.end
  }
}

function hasForAwait(node: AnyNode): boolean {
  if (node.type === 'ForOfStatement' && node.await) return true
  if (node.type === 'ArrowFunctionExpression' || node.type.startsWith('Function')) return false
  return childrenOf(node).some(hasForAwait)
}

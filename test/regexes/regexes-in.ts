import ts from 'typescript'

/** A regular expression in a source file. */
export interface FoundRegex {
  /** `/source/flags`; for one that is built at run time, the expression that builds it. */
  readonly text: string
  /** Absent when the expression is not a constant text in the file. */
  readonly pattern?: { readonly source: string; readonly flags: string }
  readonly line: number
}

/**
 * Returns every regular expression of a file: literals, arguments of `RegExp`, and members called `pattern`, which
 * schemas compile. Constants of the same file are filled in.
 */
export function regexesIn(fileName: string, code: string): readonly FoundRegex[] {
  const file = ts.createSourceFile(fileName, code, ts.ScriptTarget.Latest, true)
  const constants = constantsOf(file)
  const found: FoundRegex[] = []
  const add = (node: ts.Node, text: string, pattern?: FoundRegex['pattern']): void => {
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
    found.push({ text, line, pattern })
  }
  const addBuilt = (node: ts.Expression, flags: string): void => {
    const source = textOf(node, constants)
    if (source === undefined) add(node, node.getText())
    else add(node, `/${source}/${flags}`, { source, flags })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      add(node, node.text, { source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    } else if (isRegExpCall(node)) {
      const [source, flags] = node.arguments ?? []
      const knownFlags = flags === undefined ? '' : textOf(flags, constants)
      if (source && !ts.isRegularExpressionLiteral(source)) addBuilt(source, knownFlags ?? '')
    } else if (ts.isPropertyAssignment(node) && nameOf(node.name) === 'pattern') {
      // JSON Schema patterns have the flag u.
      if (!ts.isRegularExpressionLiteral(node.initializer)) addBuilt(node.initializer, 'u')
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function isRegExpCall(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp'
}

/** Also when the name is quoted or in brackets. */
function nameOf(name: ts.PropertyName): string {
  const written = ts.isComputedPropertyName(name) ? name.expression : name
  return ts.isStringLiteralLike(written) ? written.text : written.getText()
}

type Constants = ReadonlyMap<string, ts.Expression>

function constantsOf(file: ts.SourceFile): Constants {
  const declarations = file.statements
    .filter(ts.isVariableStatement)
    .filter(({ declarationList }) => (declarationList.flags & ts.NodeFlags.Const) !== 0)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
  return new Map(declarations.flatMap(({ name, initializer }) => (initializer ? [[name.getText(), initializer]] : [])))
}

/** Returns the value of an expression made of literal texts and constants of the file; undefined for any other. */
function textOf(node: ts.Expression, constants: Constants): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node)) {
    const constant = constants.get(node.text)
    return constant && textOf(constant, constants)
  }
  if (!ts.isTemplateExpression(node)) return undefined
  const parts = node.templateSpans.map(({ expression, literal }) => {
    const text = textOf(expression, constants)
    return text === undefined ? undefined : text + literal.text
  })
  return parts.includes(undefined) ? undefined : node.head.text + parts.join('')
}

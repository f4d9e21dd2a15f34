import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

const packages = resolve(import.meta.dirname, '../../../packages')

/** Interfaces whose members are knobs themselves; an option of any other type is one knob. */
const isOfKnobs = (name: string): boolean => /(Options|Limits|Programs|Retry|Backoff)$/.test(name)

const files = readdirSync(packages)
  .map((name) => join(packages, name, 'src'))
  .filter((src) => existsSync(src)) // the package of documents has no sources
  .flatMap((src) => readdirSync(src, { recursive: true, encoding: 'utf8' }).map((file) => join(src, file)))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    return /(Options|Limits|Programs|Retry|Backoff|options)\b/.test(text)
      ? [ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)]
      : []
  })

/** Constants that occur in defaults. */
const units: Readonly<Record<string, number>> = { kibibyte: 1024, mebibyte: 1024 ** 2 }

interface Found {
  readonly file: ts.SourceFile
  readonly declaration: ts.InterfaceDeclaration
}

const interfaces = new Map<string, Found>()
for (const file of files)
  for (const declaration of file.statements)
    if (ts.isInterfaceDeclaration(declaration) && isOfKnobs(declaration.name.text))
      interfaces.set(declaration.name.text, { file, declaration })

/** The knobs of an interface by their path (`limits.memoryBytes`), with the default that the code has as a literal. */
export function knobsOf(name: string): ReadonlyMap<string, number | string | undefined> {
  const { file, declaration } = interfaces.get(name) ?? {}
  const knobs = new Map<string, number | string | undefined>()
  if (file === undefined || declaration === undefined) return knobs
  const add = (prefix: string, inner: ReadonlyMap<string, number | string | undefined>): void => {
    for (const [path, value] of inner) knobs.set(prefix + path, value)
  }
  for (const clause of declaration.heritageClauses ?? [])
    for (const type of clause.types) add('', chosen(type.expression.getText(), type.typeArguments))
  const defaults = defaultsOf(name, file)
  // Defaults of an interface override those of the interfaces it extends.
  for (const path of knobs.keys()) if (defaults.has(path)) knobs.set(path, defaults.get(path))
  for (const member of declaration.members) {
    const path = member.name?.getText() ?? ''
    const inner = ts.isPropertySignature(member) && member.type ? ofType(member.type) : new Map()
    if (inner.size > 0) add(`${path}.`, overridden(inner, path, file))
    else knobs.set(path, defaults.get(path) ?? passedOn.get(path))
    for (const sub of inner.keys()) {
      const own = defaults.get(`${path}.${sub}`)
      if (own !== undefined) knobs.set(`${path}.${sub}`, own)
    }
  }
  return knobs
}

/** The types of a union: an option with several forms has the knobs of all of them. */
function ofType(type: ts.TypeNode): ReadonlyMap<string, number | string | undefined> {
  if (ts.isUnionTypeNode(type)) return new Map(type.types.flatMap((each) => [...ofType(each)]))
  return ts.isTypeReferenceNode(type) ? chosen(type.typeName.getText(), type.typeArguments) : new Map()
}

/** A type and, where it is `Partial`, `Pick` or `Omit` of another type, that type. */
function chosen(name: string, given: ts.NodeArray<ts.TypeNode> | undefined) {
  const [type, names] = given ?? []
  if (type === undefined) return isOfKnobs(name) ? knobsOf(name) : new Map<string, number | string | undefined>()
  const listed = new Set(
    (names && ts.isUnionTypeNode(names) ? [...names.types] : names ? [names] : []).map((each) =>
      each.getText().slice(1, -1),
    ),
  )
  const isIn = (path: string): boolean => listed.has(path.split('.')[0] ?? '')
  return new Map([...ofType(type)].filter(([path]) => (name === 'Pick' ? isIn(path) : name !== 'Omit' || !isIn(path))))
}

/** `const retry = options.retry ?? { … }` sets the defaults of its members. */
function overridden(inner: ReadonlyMap<string, number | string | undefined>, path: string, file: ts.SourceFile) {
  const values = new Map(inner)
  visit(file, (node) => {
    if (isFallback(node, path) && ts.isObjectLiteralExpression(node.right))
      for (const [name, value] of literals(node.right)) values.set(name, value)
  })
  return values
}

/** Reads `export const defaultX: Name = { … }` anywhere; in the same file also `x ?? 5` and `{ x = 5 }`. */
function defaultsOf(name: string, file: ts.SourceFile): ReadonlyMap<string, number | string> {
  const defaults = new Map<string, number | string>()
  visit(file, (node) => {
    const [key, value] = ts.isBindingElement(node)
      ? [(node.propertyName ?? node.name).getText(), node.initializer]
      : isFallback(node)
        ? [leafOf(node.left), node.right]
        : []
    const literal = value && literalOf(value)
    if (key !== undefined && literal !== undefined && !defaults.has(key)) defaults.set(key, literal)
  })
  for (const { type, constant, value } of objectConstants)
    if (type === name || constant === `default${name.replace('Options', 'Limits')}`)
      for (const [key, literal] of literals(value)) defaults.set(key, literal)
  return defaults
}

/** Constants whose value is an object literal, in the order of the files: found once, because every knob asks for them. */
const objectConstants: { type: string; constant: string; value: ts.ObjectLiteralExpression }[] = []

/**
 * The default of an option that is passed on, from the place that has it: `options.x ?? 5`, if only one place has one.
 */
const passedOn = new Map<string, number | string | undefined>()
for (const file of files)
  visit(file, (node) => {
    if (ts.isVariableDeclaration(node)) {
      const value = node.initializer && unwrapped(node.initializer)
      if (value && ts.isObjectLiteralExpression(value))
        objectConstants.push({ type: node.type?.getText() ?? '', constant: node.name.getText(), value })
    }
    if (!isFallback(node) || !node.left.getText().startsWith('options.')) return
    const name = leafOf(node.left)
    passedOn.set(name, passedOn.has(name) ? undefined : literalOf(node.right))
  })

function isFallback(node: ts.Node, name?: string): node is ts.BinaryExpression {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken &&
    (name === undefined || leafOf(node.left) === name)
  )
}

function leafOf(node: ts.Node): string {
  return node.getText().split('.').at(-1) ?? ''
}

function unwrapped(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) ? node.expression : node
}

function literals(object: ts.ObjectLiteralExpression): readonly (readonly [string, number | string])[] {
  return object.properties.flatMap((property) => {
    if (!ts.isPropertyAssignment(property)) return []
    const inner = ts.isObjectLiteralExpression(property.initializer) ? literals(property.initializer) : []
    const value = literalOf(property.initializer)
    const name = property.name.getText()
    return value === undefined ? inner.map(([path, of]) => [`${name}.${path}`, of] as const) : [[name, value] as const]
  })
}

/** The value of a text, or of an expression of numbers. */
function literalOf(node: ts.Expression): number | string | undefined {
  if (ts.isStringLiteral(node)) return node.text
  if (ts.isNumericLiteral(node)) return Number(node.text)
  if (ts.isIdentifier(node)) return units[node.text]
  if (!ts.isBinaryExpression(node)) return undefined
  const [left, right] = [literalOf(node.left), literalOf(node.right)]
  if (typeof left !== 'number' || typeof right !== 'number') return undefined
  if (node.operatorToken.kind === ts.SyntaxKind.AsteriskToken) return left * right
  return node.operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskToken ? left ** right : undefined
}

function visit(node: ts.Node, each: (node: ts.Node) => void): void {
  each(node)
  node.forEachChild((child) => visit(child, each))
}

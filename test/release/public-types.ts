import { join } from 'node:path'
import ts from 'typescript'
import type { ReleasedPackage } from './manifests.ts'

/**
 * Returns the public types of packages as text, by name: for each entry what it exports, and what that refers to in the
 * same package, sorted by name. Comments are left out.
 */
export function publicTypes(packages: readonly ReleasedPackage[]): ReadonlyMap<string, string> {
  const entries = packages.flatMap(({ folder, manifest }) =>
    Object.entries(manifest.exports).flatMap(([path, target]) =>
      // What `./products/*` exports, `.` exports as well.
      typeof target === 'object' && target.types !== undefined && !path.includes('*')
        ? [{ name: manifest.name, folder, path, file: join(folder, target.types) }]
        : [],
    ),
  )
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      skipLibCheck: true,
      noEmit: true,
      types: [],
    },
  )
  const checker = program.getTypeChecker()
  const texts = new Map<string, string>()
  for (const { name, folder, path, file } of entries) {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    const lines = module ? reachable(checker, module, `${folder}/dist/`) : ['(only global types)']
    texts.set(name, `${texts.get(name) ?? ''}== ${name}${path.slice(1)}\n\n${lines.join('\n\n')}\n\n`)
  }
  return texts
}

/** Returns the declarations of exported symbols, and of symbols of the same package they refer to. */
function reachable(checker: ts.TypeChecker, module: ts.Symbol, folder: string): readonly string[] {
  const found = new Map<ts.Symbol, string>()
  const printer = ts.createPrinter({ removeComments: true })
  const add = (symbol: ts.Symbol, exportedAs?: string): void => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    if (found.has(target)) return
    const own = (target.declarations ?? []).filter((each) => each.getSourceFile().fileName.startsWith(folder))
    const declarations = own.map(statementOf).filter((each) => each !== undefined)
    if (declarations.length === 0) {
      if (exportedAs !== undefined) found.set(target, `export ${exportedAs} (of another package)`)
      return
    }
    const prefix = exportedAs === undefined ? '(internal) ' : exportedAs === target.name ? '' : `(as ${exportedAs}) `
    const texts = declarations.map((each) => printer.printNode(ts.EmitHint.Unspecified, each, each.getSourceFile()))
    found.set(target, prefix + [...new Set(texts)].join('\n'))
    for (const declaration of declarations) visit(declaration)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node)
      if (symbol && !isMember(symbol)) add(symbol)
    }
    ts.forEachChild(node, visit)
  }
  for (const symbol of checker.getExportsOfModule(module)) add(symbol, symbol.name)
  return [...found.values()].sort()
}

/** Returns the whole statement that declares something; undefined for what is part of another declaration. */
function statementOf(node: ts.Declaration): ts.Node | undefined {
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node
  // A file, as the declaration of a namespace, is part of nothing.
  const parent: ts.Node | undefined = statement.parent
  return parent !== undefined && ts.isSourceFile(parent) ? statement : undefined
}

function isMember({ flags }: ts.Symbol): boolean {
  return (flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Method | ts.SymbolFlags.TypeParameter)) !== 0
}

import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Files that other packages import by a name, and files with a twin for another platform: their exports are a contract. */
const isContract = (file: string, entries: ReadonlySet<string>): boolean =>
  entries.has(file) || /\.(node|portable)\.ts$/.test(file)

const leftOut = new Set(['node_modules', 'dist'])

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return leftOut.has(entry.name) ? [] : sourceFiles(path)
    return /\.tsx?$/.test(path) && !path.endsWith('.d.ts') ? [path] : []
  })
}

/** Returns the sources that `exports` and `imports` of a package.json name. */
function entriesOf(name: string): readonly string[] {
  const { exports, imports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  const texts = (value: unknown): readonly string[] =>
    typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(texts)
  return [...texts(exports), ...texts(imports)].map((path) =>
    join('packages', name, path.replace(/^\.\/dist/, './src').replace(/(\.d\.ts|\.js)$/, '.ts')),
  )
}

/** Returns the names that a file imports, or exports again, from each other file. */
function importsOf(file: string, text: string): readonly { readonly target: string; readonly names: string }[] {
  const clauses = text.matchAll(
    /^(?:import|export) (?:type )?(\* as \w+|\*|\{[^}]*\}|\w+(?:, \{[^}]*\})?) from '(\.[^']+)'/gm,
  )
  const calls = text.matchAll(/(?:()import\(\s*|new URL\()'(\.[^']+)'/g)
  return [...clauses, ...calls].map(([, names = '', path = '']) => ({
    target: join(dirname(file), path),
    names: names === '' || names.includes('*') ? '*' : names,
  }))
}

/** Returns a text without the lines in templates, which may be programs for guests with exports of their own. */
function withoutTemplates(text: string): string {
  let isInside = false
  const lines = text.split('\n').filter((line) => {
    const wasInside = isInside
    const backticks = line.match(/(?<!\\)`/g)?.length ?? 0
    if (backticks % 2 === 1) isInside = !isInside
    return !wasInside
  })
  return lines.join('\n')
}

it('every export is imported by another file: what is only used at home is not exported', () => {
  const packages = readdirSync(join(root, 'packages')).filter((name) => name !== 'docs')
  const entries = new Set(packages.flatMap(entriesOf))
  const files = ['packages', 'test', 'bench'].flatMap(sourceFiles)
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const imported = new Map<string, string[]>()
  for (const [file, text] of texts)
    for (const { target, names } of importsOf(file, text))
      if (!imported.get(target)?.push(names)) imported.set(target, [names])
  const unused = [...texts].flatMap(([file, text]) => {
    if (!/^packages\/[^/]+\/src\//.test(file) || file.includes('.test.') || isContract(file, entries)) return []
    const clauses = imported.get(file) ?? []
    const names = [
      ...withoutTemplates(text).matchAll(
        /^export (?:abstract |async )*(?:function\*?|const|class|interface|type) (\w+)/gm,
      ),
    ]
    return names
      .map(([, name = '']) => name)
      .filter((name) => !clauses.some((each) => each === '*' || new RegExp(`\\b${name}\\b`).test(each)))
      .map((name) => `${relative('packages', dirname(file))}/${basename(file)}: ${name}`)
  })
  expect(unused).toEqual([])
})

it('every built-in destination can be imported by its folder, with its types', async () => {
  const { webhook } = await import('@sluice/destinations/products/webhook')
  expect(webhook.type).toBe('WEBHOOK')
})

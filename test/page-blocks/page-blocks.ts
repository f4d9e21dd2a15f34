import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { blocksOf, type CodeBlock } from '../support/texts/code-blocks.ts'

export const root = resolve(import.meta.dirname, '../..')

/** A block with the page it is in. */
export interface PageBlock extends CodeBlock {
  /** Path of the page below the root of the repository. */
  readonly page: string
}

/** Where pages for readers are. Generated READMEs of destinations are left out: their generator runs what they show. */
const folders = ['packages', '.github', 'test/conformance']
const generated = 'packages/destinations/src/products'

/** Returns the path of every page for readers, below the root of the repository. */
export function pagesForReaders(): readonly string[] {
  return ['README.md', ...folders.flatMap(pagesIn)].sort()
}

/** Returns every block of every page for readers, by page, in order, and behind them the examples of docstrings. */
export function allBlocks(): readonly PageBlock[] {
  const ofPages = pagesForReaders().flatMap((page) =>
    blocksOf(readFileSync(join(root, page), 'utf8')).map((block) => ({ ...block, page })),
  )
  return [...ofPages, ...examples()]
}

/** Returns the programs that docstrings of public functions show, by file. */
export function examples(): readonly PageBlock[] {
  const sources = readdirSync(join(root, 'packages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => filesIn(join('packages', name, 'src'), /(?<!\.test)\.ts$/))
  return sources.sort().flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    return text.includes(' * @example') ? blocksOf(onlyExamples(text)).map((block) => ({ ...block, page })) : []
  })
}

/** Empties every line of a source that is not of an example, so that those of examples keep their numbers. */
function onlyExamples(source: string): string {
  let isExample = false
  return source
    .split('\n')
    .map((line) => {
      if (line.endsWith('*/')) isExample = false
      const isOpen = isExample
      if (line === ' * @example') isExample = true
      return isOpen ? line.replace(/^ \* ?/, '') : ''
    })
    .join('\n')
}

function pagesIn(folder: string): readonly string[] {
  return filesIn(folder, /\.md$/)
}

function filesIn(folder: string, name: RegExp): readonly string[] {
  if (folder === generated || !existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    // Other tests write and remove files there meanwhile.
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : filesIn(path, name)
    return name.test(path) ? [path] : []
  })
}

/** Returns the name of a block in reports: its page, line and language. */
export function nameOf({ page, line, language, file }: PageBlock): string {
  return `${relative(root, join(root, page))}:${line} ${file ?? (language || 'diagram')}`
}

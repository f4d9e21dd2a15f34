import { readdirSync, readFileSync } from 'node:fs'
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

/** Returns every block of every page for readers, by page, in order. */
export function allBlocks(): readonly PageBlock[] {
  return pagesForReaders().flatMap((page) =>
    blocksOf(readFileSync(join(root, page), 'utf8')).map((block) => ({ ...block, page })),
  )
}

function pagesIn(folder: string): readonly string[] {
  if (folder === generated) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    // Other tests write and remove files there meanwhile.
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : pagesIn(path)
    return path.endsWith('.md') ? [path] : []
  })
}

/** Returns the name of a block in reports: its page, line and language. */
export function nameOf({ page, line, language, file }: PageBlock): string {
  return `${relative(root, join(root, page))}:${line} ${file ?? (language || 'diagram')}`
}

import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Page } from './page.ts'

/** A page whose links lead to pages and files of the site. */
export interface LinkedPage {
  readonly page: Page
  /** Files that are not pages, such as pictures, below the root of the repository. The site has copies. */
  readonly files: readonly string[]
}

/** Where copies of such files are in the site. */
export const filesFolder = 'files'

/** Whether a page shows a file, rather than links to it. */
export function isPicture(file: string): boolean {
  return /\.(?:png|svg|webp)$/.test(file)
}

/**
 * Changes the links of a page: those to files of the repository become links to the pages made from them, and those to
 * folders become links to the page of their README. Code is left alone.
 * @param addresses address of each page by its source.
 * @throws Error when a link leads neither to a page nor to a file.
 */
export function toSiteLinks(root: string, page: Page, addresses: ReadonlyMap<string, string>): LinkedPage {
  const { source } = page
  if (source === undefined) return { page, files: [] }
  const files = new Set<string>()
  const from = dirname(page.path)
  const linkTo = (link: string): string => {
    const [path = '', anchor] = link.split('#')
    if (path === '') return link
    const target = join(dirname(source), path).replace(/\/$/, '')
    const address = addresses.get(target) ?? addresses.get(`${target}/README.md`)
    if (address !== undefined)
      return `${relativeLink(from, `${address}.md`)}${anchor === undefined ? '' : `#${anchor}`}`
    const file = join(root, target)
    if (!existsSync(file) || !statSync(file).isFile())
      throw new Error(`${source} links to ${link}, which is not there.`)
    files.add(target)
    const copy = `${filesFolder}/${target}`
    return isPicture(target) ? relativeLink(from, copy) : `/${copy}`
  }
  const text = outsideCode(page.text, (part) =>
    part
      // Notes for those who edit the source.
      .replaceAll(/^<!--.*?-->\n+/gms, '')
      // Pages of the repository's host have no address that the site knows.
      .replaceAll(/\[([^\]]+)\]\(\.\.\/\.\.\/issues[^)]*\)/g, '$1')
      .replaceAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g, (_, link: string) => `](${linkTo(link)})`),
  )
  return { page: { ...page, text }, files: [...files] }
}

function relativeLink(from: string, to: string): string {
  const path = relative(from, to)
  return path.startsWith('.') ? path : `./${path}`
}

/** Applies a change to the parts of a Markdown text that are not fenced code. */
function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}

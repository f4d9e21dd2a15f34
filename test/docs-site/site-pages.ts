import { gatherPages } from './pages/gather-pages.ts'
import { libraryPages } from './pages/library-pages.ts'
import type { Page } from './pages/page.ts'
import { type Sidebars, sidebars } from './pages/sidebars.ts'
import { toSiteLinks } from './pages/to-site-links.ts'
import { referencePages } from './reference/reference-pages.ts'

export interface SitePages {
  readonly pages: readonly Page[]
  readonly sidebars: Sidebars
  /** Files that pages show or link to, below the root of the repository. */
  readonly files: readonly string[]
}

/**
 * Returns all pages of the site, linked with each other.
 * @param root the repository, built. Types of packages are included when TypeDoc has run.
 * @throws Error when a link leads nowhere, or a page is in no sidebar.
 */
export async function sitePages(root: string): Promise<SitePages> {
  const written = gatherPages(root)
  const all = [...written, ...(await referencePages(root, written)), ...libraryPages(root)]
  const addresses = new Map(all.flatMap(({ source, path }) => (source === undefined ? [] : [[source, path] as const])))
  const linked = all.map((page) => toSiteLinks(root, page, addresses))
  return {
    pages: linked.map(({ page }) => page),
    sidebars: sidebars(all),
    files: [...new Set(linked.flatMap(({ files }) => files))].sort(),
  }
}

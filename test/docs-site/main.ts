import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesFolder, isPicture } from './pages/to-site-links.ts'
import { writeFrontPage } from './pages/write-front-page.ts'
import { sitePages } from './site-pages.ts'

/** Writes the pages of the documentation site, from which VitePress builds it: `npm run docs:build`. */
const root = join(import.meta.dirname, '../../..')
const out = join(root, 'packages/docs/site/dist/pages')

const { pages, sidebars, files } = await sitePages(root)
rmSync(out, { recursive: true, force: true })
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(out, name)), { recursive: true })
  writeFileSync(join(out, name), text)
}
for (const { path, text } of pages) write(`${path}.md`, text)
for (const file of files) {
  // Pictures belong to pages and get a name with a hash; VitePress serves what is in `public` unchanged.
  const folder = isPicture(file) ? filesFolder : `public/${filesFolder}`
  cpSync(join(root, file), join(out, folder, file))
}
write('sidebars.json', JSON.stringify(sidebars))
// VitePress makes no index.html, and serves this one as it is.
writeFrontPage(root, join(out, 'public'))
process.stdout.write(`${pages.length} pages and ${files.length} files for the documentation site\n`)

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Checks the built documentation site, and fails when it loads anything from elsewhere or cannot be searched. */
const site = join(import.meta.dirname, '../../../packages/docs/site/dist/site')

const files = readdirSync(site, { recursive: true, encoding: 'utf8' })
const read = (file: string): string => readFileSync(join(site, file), 'utf8')
const pages = files.filter((file) => file.endsWith('.html'))
const problems: string[] = []

/** What a browser loads by itself. Links to other hosts, which a reader follows, are fine. */
const loadedByPage = /<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc="((?:https?:)?\/\/[^"]+)"/g
const loadedByLink = /<link\b[^>]*\bhref="((?:https?:)?\/\/[^"]+)"/g
const loadedByStyle = /(?:url\(|@import )["']?((?:https?:)?\/\/[^"')]+)/g

for (const page of pages)
  for (const [, address] of [...read(page).matchAll(loadedByPage), ...read(page).matchAll(loadedByLink)])
    problems.push(`${page} loads ${address}`)
for (const style of files.filter((file) => file.endsWith('.css')))
  for (const [, address] of read(style).matchAll(loadedByStyle)) problems.push(`${style} loads ${address}`)

/** Anchors of each page: VitePress checks links to pages, but not to their sections. */
const anchors = new Map(
  pages.map((page) => [page, new Set([...read(page).matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))]),
)
for (const page of pages)
  for (const [, href = ''] of read(page).matchAll(/<a\b[^>]*\bhref="([^"]*#[^"]+)"/g)) {
    const { origin, pathname, hash } = new URL(href, `http://site.test/${page}`)
    if (origin !== 'http://site.test') continue
    const target = anchors.get(decodeURIComponent(pathname.slice(1)))
    if (target?.has(decodeURIComponent(hash.slice(1))) !== true)
      problems.push(`${page} links to ${href}, which is not there`)
  }

if (!read('index.html').includes('href="./playground/index.html"'))
  problems.push('the first page does not lead to the playground')
const front = read('index.html')
for (const [, address = ''] of front.matchAll(/\b(?:src|srcset|href)="\.\/([^"#]+)"/g))
  if (!files.includes(address)) problems.push(`index.html leads to ${address}, which is not there`)
if (!files.includes('icon.svg')) problems.push('there is no icon.svg')
const playground = files.includes('playground/index.html') ? read('playground/index.html') : ''
const playgroundParts = [...playground.matchAll(/\b(?:src|href)="\.\/([^"]+)"/g)].map(
  ([, name]) => `playground/${name}`,
)
if (playgroundParts.length === 0) problems.push('there is no playground')
for (const part of playgroundParts) if (!files.includes(part)) problems.push(`the playground lacks ${part}`)

const [index] = files.filter((file) => /localSearchIndexroot\.[\w-]+\.js$/.test(file))
if (index === undefined) problems.push('there is no search index')
else
  for (const word of ['regulation', 'deletionsTooMany'])
    if (!read(index).toLowerCase().includes(word.toLowerCase())) problems.push(`the search index lacks ${word}`)
if (pages.length < 150) problems.push(`there are only ${pages.length} pages`)

for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1
else process.stdout.write(`${pages.length} pages in packages/docs/site/dist/site, with nothing from other hosts\n`)

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

function filesIn(folder: string, ending: RegExp): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry): readonly string[] => {
    const path = join(folder, entry.name)
    // Other tests write and remove files there meanwhile.
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : filesIn(path, ending)
    return ending.test(path) ? [path] : []
  })
}

/** The anchors of a page, as GitHub derives them from its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
  return new Set([...headings].map(([, heading = '']) => slug(heading)))
}

function isThere(target: string): boolean {
  const [page = '', anchor] = target.split('#')
  if (!existsSync(page)) return false
  return anchor === undefined || anchorsOf(page).has(anchor)
}

it('pages and sections that comments cite exist', () => {
  const files = readdirSync(join(root, 'packages')).flatMap((name) =>
    filesIn(`packages/${name}`, /^packages\/[\w-]+\/src\/.*\.ts$/),
  )
  const cited = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/packages\/docs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(
      ([target]) => ({
        file,
        target,
      }),
    ),
  )
  expect(cited.length).toBeGreaterThan(80)
  expect(cited.filter(({ target }) => !isThere(join(root, target)))).toEqual([])
})

it('links in the documentation and in READMEs lead to existing pages', () => {
  const pages = [...filesIn('packages', /\.md$/), ...filesIn('.github', /\.md$/), 'README.md']
  const broken = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/```[\s\S]*?```/g, '')
    return [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)]
      .map(([, target = '']) => (target.startsWith('#') ? page + target : join(dirname(page), target)))
      .filter((target) => !isThere(join(root, target)))
      .map((target) => `${page}: ${relative(root, join(root, target))}`)
  })
  expect(broken).toEqual([])
})

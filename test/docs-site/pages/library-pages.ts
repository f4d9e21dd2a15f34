import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from './page.ts'

/** Where TypeDoc writes the public types of all packages, below the root of the repository. */
const folder = 'packages/docs/site/dist/library'

/** Returns the pages that TypeDoc has made, one for each package and namespace; none when it has not run. */
export function libraryPages(root: string): readonly Page[] {
  if (!existsSync(join(root, folder))) return []
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()
  const texts = new Map(
    files
      .filter((file) => file.endsWith('.md') && file !== 'README.md')
      .map((file) => [file, readFileSync(join(root, folder, file), 'utf8')]),
  )
  return [...texts.keys()].map((file) => {
    // core/dist.md, destinations/dist/README.md, destinations/dist/namespaces/field.md
    const [, name = '', namespace] = /^([\w-]+)\/dist(?:\/namespaces\/(\w+)|\/README)?\.md$/.exec(file) ?? []
    if (name === '') throw new Error(`TypeDoc has made ${file}, which is neither a package nor a namespace of one.`)
    const title = name === 'sluice' ? name : `@sluice/${name}`
    const source = join(folder, file)
    return {
      path: `reference/library/${name}${namespace === undefined ? '' : `-${namespace}`}`,
      source,
      text: withAnchorsThatExist(file, texts).replace(
        /^# .+$/m,
        `# ${title}${namespace === undefined ? '' : `, namespace ${namespace}`}`,
      ),
    }
  })
}

/**
 * Returns the text of a file. TypeDoc numbers some anchors, such as `#programrun-1`, although the page they are on has only
 * one heading of that name.
 */
function withAnchorsThatExist(file: string, texts: ReadonlyMap<string, string>): string {
  const text = texts.get(file) ?? ''
  return text.replaceAll(/\(([\w./-]*)#(\w+)-(\d+)\)/g, (link, path: string, name: string, number: string) => {
    const target = texts.get(path === '' ? file : join(dirname(file), path)) ?? ''
    const headings = [...target.matchAll(/^#+ (\w+)(?:\(\))?\??$/gm)].map(([, heading = '']) => heading.toLowerCase())
    return headings.filter((heading) => heading === name).length > Number(number) ? link : `(${path}#${name})`
  })
}

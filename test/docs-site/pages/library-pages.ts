import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from './page.ts'

/** Where TypeDoc writes the public types of all packages, below the root of the repository. */
const folder = 'packages/docs/site/dist/library'

/** Returns the pages that TypeDoc has made, one for each package and namespace; none when it has not run. */
export function libraryPages(root: string): readonly Page[] {
  if (!existsSync(join(root, folder))) return []
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()
  return files
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => {
      // core/dist.md, destinations/dist/README.md, destinations/dist/namespaces/field.md
      const [, name = '', namespace] = /^([\w-]+)\/dist(?:\/namespaces\/(\w+)|\/README)?\.md$/.exec(file) ?? []
      if (name === '') throw new Error(`TypeDoc has made ${file}, which is neither a package nor a namespace of one.`)
      const title = name === 'sluice' ? name : `@sluice/${name}`
      const source = join(folder, file)
      return {
        path: `reference/library/${name}${namespace === undefined ? '' : `-${namespace}`}`,
        source,
        text: withAnchorsThatExist(readFileSync(join(root, source), 'utf8')).replace(
          /^# .+$/m,
          `# ${title}${namespace === undefined ? '' : `, namespace ${namespace}`}`,
        ),
      }
    })
}

/** TypeDoc numbers some anchors, such as `#programrun-1`, although the page has only one heading of that name. */
function withAnchorsThatExist(text: string): string {
  const headings = [...text.matchAll(/^#+ (\w+)(?:\(\))?\??$/gm)].map(([, name = '']) => name.toLowerCase())
  return text.replaceAll(/\(#(\w+)-(\d+)\)/g, (link, name: string, number: string) =>
    headings.filter((heading) => heading === name).length > Number(number) ? link : `(#${name})`,
  )
}

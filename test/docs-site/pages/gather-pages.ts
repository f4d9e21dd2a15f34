import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from './page.ts'

/** Pages outside this folder that get an address of their own. */
const single: Readonly<Record<string, string>> = {
  'README.md': 'overview',
  '.github/CONTRIBUTING.md': 'contributing',
  '.github/SECURITY.md': 'report-a-vulnerability',
  'test/conformance/README.md': 'conformance',
  'packages/docs/README.md': 'contents',
  'packages/sluice/deploy/README.md': 'guides/run-as-a-service',
  'packages/sluice/KNOBS.md': 'reference/options',
  'packages/destinations/WRITE-YOUR-OWN.md': 'guides/write-a-destination',
}
const products = 'packages/destinations/src/products'

/** Returns the pages that people write, and the generated READMEs of destinations, by their address. */
export function gatherPages(root: string): readonly Page[] {
  const at = (source: string, path: string): Page => ({ path, source, text: readFileSync(join(root, source), 'utf8') })
  const namesIn = (folder: string): readonly string[] => readdirSync(join(root, folder)).sort()
  const foldersIn = (folder: string): readonly string[] => namesIn(folder).filter((name) => !name.includes('.'))
  const ofFolder = (folder: string): readonly Page[] =>
    namesIn(`packages/docs/${folder}`)
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .map((name) => at(join('packages/docs', folder, name), join(folder, name.slice(0, -3))))
  return [
    ...Object.entries(single).map(([source, path]) => at(source, path)),
    ...['.', 'guides', 'api', 'behaviour', 'errors', 'decisions'].flatMap(ofFolder),
    ...namesIn('packages').flatMap((name) =>
      name === 'docs' ? [] : at(`packages/${name}/README.md`, `packages/${name}`),
    ),
    ...foldersIn(products).map((name) => at(`${products}/${name}/README.md`, `reference/destinations/${name}`)),
  ]
}

import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { DestinationDefinition } from '../kit/define/define-destination.ts'
import { destinationReadme } from '../readme/destination-readme.ts'

// Everything that is listed once for each destination is written here from the folders of products, by `pnpm products`.

const folder = `${import.meta.dirname}/../products/`
const names = readdirSync(folder).filter((name) => !name.includes('.'))
const products = await Promise.all(names.sort().map(productOf))
for (const what of ['exportName', 'type'] as const) {
  const seen = new Map<string, string>()
  for (const { name, exportName, definition } of products) {
    const value = what === 'type' ? definition.type : exportName
    const other = seen.get(value)
    if (other) throw new Error(`products/${other} and products/${name} both have the ${what} ${value}; change one.`)
    seen.set(value, name)
  }
}
const written = 'Written by `pnpm products` from the folders of products; add a folder and run it'

interface Product {
  /** Name of the folder and of the file with the definition. */
  readonly name: string
  readonly exportName: string
  readonly definition: DestinationDefinition
}

async function productOf(name: string): Promise<Product> {
  const module: Record<string, DestinationDefinition> = await import(`${folder}${name}/${name}.ts`)
  const [[exportName, definition] = [], ...others] = Object.entries(module).filter(([, each]) => each?.type)
  if (exportName === undefined || definition === undefined || others.length > 0)
    throw new Error(`products/${name}/${name}.ts must export one definition of a destination.`)
  return { name, exportName, definition }
}

const code = (lines: readonly string[]) =>
  `// biome-ignore-all format: generated\n// ${written}.\n\n${lines.join('\n')}\n`

it('all products are exported', async () => {
  const lines = products.map(({ name, exportName }) => `export { ${exportName} } from '../products/${name}/${name}.ts'`)
  await expect(code(lines)).toMatchFileSnapshot('products.ts')
})

it('all products can be loaded one by one', async () => {
  const text = (value: string) => `'${value.replace(/[\\']/g, '\\$&')}'`
  const lines = products.map(({ name, exportName, definition: { type, displayName } }) => {
    const load = `async () => (await import('../products/${name}/${name}.ts')).${exportName}`
    return `  { type: ${text(type)}, displayName: ${text(displayName)}, load: ${load} },`
  })
  const all = [
    "import type { LoadableDestination } from '../loadable-destination.ts'",
    '',
    '/** All destinations that come with Sluice, not loaded yet, in the order of their folders. */',
    'export const loadableDestinations: readonly LoadableDestination[] = [',
    ...lines,
    ']',
  ]
  await expect(code(all)).toMatchFileSnapshot('loadable-destinations.ts')
})

it('all products are in the list for readers', async () => {
  const sorted = [...products].sort((one, other) => (one.definition.type < other.definition.type ? -1 : 1))
  const rows = sorted.map(({ definition: { type, displayName, supports, deletion, keptLines } }) => {
    const events = supports.length === 0 ? 'none' : supports.length === 6 ? 'all' : supports.join(', ')
    return `| [${type}] | ${displayName} | ${events} | ${deletion || keptLines ? 'yes' : ''} |`
  })
  const head = ['| type | destination | events | deletes users |', '| --- | --- | --- | --- |']
  const links = sorted.map(({ name, definition }) => `[${definition.type}]: ${name}/README.md`)
  const page = ['# Destinations', `<!-- ${written}. -->`, [...head, ...rows].join('\n'), links.join('\n')]
  await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot(`${folder}README.md`)
})

for (const { name, definition } of products)
  it(`the README of ${definition.type} is up to date; run pnpm products to write it`, async () => {
    await expect(destinationReadme(definition)).toMatchFileSnapshot(`${folder}${name}/README.md`)
  })

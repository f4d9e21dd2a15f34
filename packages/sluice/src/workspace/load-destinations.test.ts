import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type DestinationSource, isDestinationFamily } from '@sluice/destinations/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadDestinations } from './load-destinations.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-destinations-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** A definition written without any import, as JavaScript text. */
const definition = (type: string, displayName = type): string => `{
  type: '${type}', displayName: '${displayName}', supports: ['track'], secrets: [], examples: [],
  settings: { type: 'object', properties: {} }, requests: () => [],
}`

const typeOf = (source: DestinationSource): string => (isDestinationFamily(source) ? source.prefix : source.type)

const load = (...modules: unknown[]) => loadDestinations(modules, folder, 'destinationPackages')

describe('destinations from elsewhere', () => {
  it('are loaded from a file beside the workspace, one or a list', async () => {
    write('one.mjs', `export default ${definition('ONE')}`)
    write('more.mjs', `export default [${definition('TWO')}, ${definition('THREE')}]`)
    const { destinations, problems } = await load('./one.mjs', './more.mjs')
    expect([destinations.map(typeOf), problems]).toEqual([['ONE', 'TWO', 'THREE'], []])
  })

  it('are loaded from packages installed beside it: for import only, for require only, and with main only', async () => {
    const manifests = {
      '@acme/modern': { exports: { '.': { types: './x.d.ts', import: './index.mjs' } } },
      classic: { main: './index.cjs' },
      plain: {},
    }
    for (const [name, manifest] of Object.entries(manifests))
      write(`node_modules/${name}/package.json`, JSON.stringify({ name, ...manifest }))
    write('node_modules/@acme/modern/index.mjs', `export default ${definition('MODERN')}`)
    write('node_modules/classic/index.cjs', `module.exports = { __esModule: true, default: ${definition('CLASSIC')} }`)
    write('node_modules/plain/index.js', `module.exports = ${definition('PLAIN')}`)
    const { destinations, problems } = await load('@acme/modern', 'classic', 'plain')
    expect([destinations.map(typeOf), problems]).toEqual([['MODERN', 'CLASSIC', 'PLAIN'], []])
  })

  it('are loaded again when their file has changed', async () => {
    write('changing.mjs', `export default ${definition('CHANGING', 'before')}`)
    const names = async () =>
      (await load('./changing.mjs')).destinations.map((each) => 'displayName' in each && each.displayName)
    expect(await names()).toEqual(['before'])
    write('changing.mjs', `export default ${definition('CHANGING', 'after')}`)
    utimesSync(join(folder, 'changing.mjs'), new Date(), new Date(Date.now() + 5_000))
    expect(await names()).toEqual(['after'])
  })

  const mistakes: readonly (readonly [name: string, module: unknown, text: string, value: string, allowed: RegExp])[] =
    [
      ['a file that is not there', './gone.mjs', '', '"./gone.mjs"', /^a file that is there .* npm package that is/],
      ['a package that is not installed', '@acme/gone', '', '"@acme/gone"', /npm package that is installed/],
      ['what is no name', 7, '', '7', /^a file .* or an npm package/],
      ['code that does not parse', './broken.mjs', 'export default {{', '"./broken.mjs"', /that loads \(.*Error/],
      ['code that throws', './throws.mjs', 'throw new Error("no key")', '"./throws.mjs"', /loads \(Error: no key\)/],
      ['no default export', './named.mjs', 'export const a = 1', '"./named.mjs"', /^a module with a default export/],
      [
        'no definition',
        './other.mjs',
        'export default { type: "A" }',
        '"./other.mjs"',
        /its displayName must be a string/,
      ],
      ['a built-in type', './taken.mjs', `export default ${definition('HEAP')}`, 'type HEAP', /taken \(by a built-in/],
    ]
  for (const [name, module, text, value, allowed] of mistakes) {
    it(`refuses ${name}`, async () => {
      if (text !== '') write(String(module), text)
      expect((await load(module)).problems).toEqual([
        { path: 'destinationPackages[0]', value, allowed: expect.stringMatching(allowed) },
      ])
    })
  }

  it('must not share a type, and all problems are reported together', async () => {
    write('a.mjs', `export default ${definition('SAME')}`)
    write('b.mjs', `export default ${definition('SAME')}`)
    const { problems } = await load('./a.mjs', './gone.mjs', './b.mjs')
    expect(problems.map(({ path, allowed }) => [path, allowed])).toEqual([
      ['destinationPackages[1]', expect.stringContaining('a file that is there')],
      ['destinationPackages[2]', 'a type that is not taken (by ./a.mjs)'],
    ])
    expect((await loadDestinations('./a.mjs', folder, 'destinationPackages')).problems).toHaveLength(1)
  })
})

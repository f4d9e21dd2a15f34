import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderMayImport, mayImport } from './support/import-rules.ts'

const root = resolve(import.meta.dirname, '..')

/** Names that each package exports, by the name it is imported by. */
const publicNames = new Set(
  Object.keys(mayImport).flatMap((name) => {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
    return Object.keys(manifest.exports).map((path) => manifest.name + path.slice(1))
  }),
)

interface Import {
  readonly file: string
  readonly specifier: string
}

const sourcesOf = (name: string): readonly string[] => sourcesIn(join(root, 'packages', name, 'src'))

/** Returns the sources in a folder, without those of others and what was built. */
function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    // Links in node_modules lead to a million files.
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === 'dist' ? [] : sourcesIn(path)
    return /\.tsx?$/.test(entry.name) ? [path] : []
  })
}

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(file, 'utf8')
  const found = text.matchAll(
    /^(?:import|export)\b[^'"`;]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gms,
  )
  return [...found].map((match) => ({ file: relative(root, file), specifier: match[1] ?? match[2] ?? match[3] ?? '' }))
}

function packageOf(specifier: string): string | undefined {
  return /^@sluice\/([a-z-]+)/.exec(specifier)?.[1] ?? (specifier === 'sluice' ? 'sluice' : undefined)
}

/** Returns the file of a package that one of its files imports, by its path or by a name with #; undefined for others. */
function targetOf(name: string, file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return resolve(root, file, '..', specifier)
  if (!specifier.startsWith('#') || specifier.startsWith('#inlined/')) return undefined
  const { imports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  return join(root, 'packages', name, imports[specifier].source.default)
}

/** Returns the folder of `folderMayImport` to which a file belongs: the longest that fits, '' for none. */
function folderOf(name: string, file: string): string {
  const path = relative(join(root, 'packages', name, 'src'), resolve(root, file))
    .split('/')
    .slice(0, -1)
  const fits = (folder: string): boolean => {
    const parts = folder.split('/')
    return parts.length <= path.length && parts.every((part, index) => part === '*' || part === path[index])
  }
  const folders = Object.keys(folderMayImport[name] ?? {}).filter(fits)
  const length = Math.max(0, ...folders.map((folder) => folder.split('/').length))
  return path.slice(0, length).join('/')
}

const isWithin = (folder: string, outer: string): boolean => outer === '' || `${folder}/`.startsWith(`${outer}/`)

/** Returns the rule of a folder: its own, or that of `x/*`. */
function ruleOf(name: string, folder: string): readonly string[] | undefined {
  const rules = folderMayImport[name]
  return rules?.[folder] ?? rules?.[folder.replace(/[^/]+$/, '*')]
}

/** Returns whether a folder of `src`, or its folders, have a rule. */
function hasRule(name: string, folder: string): boolean {
  return Object.keys(folderMayImport[name] ?? {}).some((each) => isWithin(each, folder))
}

/** Returns whether a file of one folder may import one of another. */
function mayReach(name: string, from: string, to: string): boolean {
  const allowed = ruleOf(name, from || '.') ?? (from === '' ? [''] : [])
  return isWithin(from, to) || allowed.some((folder) => isWithin(to, folder)) || (from !== '' && isWithin(to, from))
}

/** Returns the files that import themselves, directly or through others, and the files that import those. */
function filesInCircles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const left = new Map(imports)
  for (let before = -1; before !== left.size; ) {
    before = left.size
    for (const [file, imported] of left) if (!imported.some((each) => left.has(each))) left.delete(file)
  }
  return [...left.keys()]
}

/** The table of the page: the folders of each package, and what each may import. */
function folderTable(): string {
  const rows = Object.entries(folderMayImport).map(([name, folders]) => {
    const rules = Object.entries(folders).map(([folder, others]) =>
      others.length === 0 ? `\`${folder}\`` : `\`${folder}\` ← ${others.join(', ')}`,
    )
    return `| \`${name}\` | ${rules.join('; ')} |`
  })
  return ['| package | folders, and what each may import |', '| --- | --- |', ...rows, ''].join('\n')
}

/** Returns lines over 120 columns. Only code blocks may have longer ones. */
function longLinesOf(markdown: string): readonly string[] {
  const outside = markdown.replace(/^```.*?^```$/gms, '').split('\n')
  return outside.filter((line) => line.length > 120)
}

/** Returns the READMEs of a package: its own, and those of its folders, such as the products of destinations. */
function readmesOf(name: string): readonly string[] {
  const folder = join(root, 'packages', name)
  const inSources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
  const nested = inSources.filter((file) => basename(file) === 'README.md').map((file) => join(folder, 'src', file))
  return [join(folder, 'README.md'), ...nested]
}

describe('the import table', () => {
  it('covers every package', () => {
    // The documentation package has no code.
    expect(readdirSync(join(root, 'packages')).sort()).toEqual([...Object.keys(mayImport), 'docs'].sort())
  })

  it('is released as a whole: packages without a version, which a release cannot raise, are left out', () => {
    const { fixed } = JSON.parse(readFileSync(join(root, '.changeset/config.json'), 'utf8'))
    const versionOf = (folder: string): unknown =>
      JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).version
    expect(Object.keys(mayImport).filter((name) => versionOf(`packages/${name}`) === undefined)).toEqual(['bundler'])
    expect(['bench', 'test'].filter((name) => versionOf(name) === undefined)).toEqual(['bench', 'test'])
    expect(fixed).toEqual([['sluice', '@sluice/!(bench|bundler|test)']])
  })

  for (const [name, allowed] of Object.entries(mayImport)) {
    const imports = sourcesOf(name).flatMap(importsOf)

    it(`${name} imports only the packages of its list`, () => {
      const wrong = imports.filter(({ specifier }) => {
        const other = packageOf(specifier)
        return other !== undefined && !allowed.includes(other)
      })
      expect(wrong).toEqual([])
    })

    it(`${name} imports other packages only by their public names, and no files outside its own folder`, () => {
      const wrong = imports.filter(({ file, specifier }) => {
        if (specifier.startsWith('.')) {
          const target = relative(join(root, 'packages', name), resolve(root, file, '..', specifier))
          return target.startsWith('..')
        }
        return packageOf(specifier) !== undefined && !publicNames.has(specifier)
      })
      expect(wrong).toEqual([])
    })

    it(`${name} declares the packages it imports, and no others of this repository than it may import`, () => {
      const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
      // The page and the command are built into files that contain what they import.
      const builtIn = ['studio', 'sluice'].includes(name) ? manifest.devDependencies : {}
      const declared = Object.keys({
        ...manifest.dependencies,
        ...manifest.optionalDependencies,
        ...manifest.peerDependencies,
        ...builtIn,
      })
      const inSources = imports.filter(({ file }) => !file.endsWith('.test.ts'))
      const used = inSources.map(({ specifier }) => specifier).filter((each) => !/^(\.|node:|#)/.test(each))
      const names = used.map((each) =>
        each
          .split('/')
          .slice(0, each.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      expect([...new Set(names)].filter((each) => !declared.includes(each))).toEqual([])
      const ours = declared.map(packageOf).filter((each) => each !== undefined)
      expect(ours.filter((each) => !allowed.includes(each))).toEqual([])
    })

    it(`${name} inlines packages that it has installed for development, and imports each of them`, () => {
      const { imports: paths = {}, devDependencies = {} } = JSON.parse(
        readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
      )
      const inlined = Object.keys(paths).filter((each) => each.startsWith('#inlined/'))
      for (const each of inlined) {
        const { source, default: file } = paths[each]
        expect(file).toBe(`./dist/${each.slice(1)}.js`)
        expect(
          Object.keys(devDependencies).some((known) => `${source}/`.startsWith(`${known}/`)),
          each,
        ).toBe(true)
      }
      const used = imports.filter(({ file }) => !file.endsWith('.test.ts')).map(({ specifier }) => specifier)
      expect(inlined.filter((each) => !used.includes(each))).toEqual([])
      expect(used.filter((each) => each.startsWith('#inlined/') && !inlined.includes(each))).toEqual([])
    })

    it(`${name} has only folders with a rule, and each imports only the folders it may`, () => {
      const sources = sourcesOf(name).filter((file) => !file.endsWith('.test.ts'))
      const folders = sources.map((file) =>
        relative(join(root, 'packages', name, 'src'), file)
          .split('/')
          .slice(0, -1),
      )
      const unknown = folders.filter((path) => path.length > 0 && !hasRule(name, path[0] ?? ''))
      expect(unknown).toEqual([])
      const wrong = imports.filter(({ file, specifier }) => {
        const target = targetOf(name, file, specifier)
        if (target === undefined || file.endsWith('.test.ts')) return false
        return !mayReach(name, folderOf(name, file), folderOf(name, target))
      })
      expect(wrong).toEqual([])
    })

    it(`${name} has exports with types, leaves its sources out of releases, and has READMEs with lines of at most 120 columns`, () => {
      const folder = join(root, 'packages', name)
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      // A package that is not released has nothing for CommonJS.
      const conditions = manifest.private ? ['source', 'types'] : ['source', 'require', 'types']
      expect(Object.keys(manifest.exports['.'])).toEqual([...conditions, 'default'])
      expect(manifest.files).toContain('dist')
      expect(manifest.files).not.toContain('src')
      expect(readmesOf(name).flatMap((readme) => longLinesOf(readFileSync(readme, 'utf8')))).toEqual([])
    })
  }

  it('names files of the way of an event that exist, in order', () => {
    const page = readFileSync(join(root, 'packages/docs/architecture.md'), 'utf8')
    const listed = [...page.matchAll(/^(\d+)\. `([^`]+\.ts)`: /gm)]
    expect(listed.length).toBeGreaterThan(30)
    expect(listed.map(([, number]) => Number(number))).toEqual(listed.map((_, place) => place + 1))
    expect(listed.filter(([, , file = '']) => !existsSync(join(root, 'packages', file)))).toEqual([])
  })

  it('has at most 15 files in a folder, besides tests and main files: more are shelved by subject', () => {
    const count = new Map<string, number>()
    for (const file of Object.keys(mayImport).flatMap(sourcesOf)) {
      const folder = relative(root, dirname(file))
      const isCounted = !/(?:\.test|\.portable|\/index)\.tsx?$/.test(file)
      if (isCounted) count.set(folder, (count.get(folder) ?? 0) + 1)
    }
    expect([...count].filter(([, files]) => files > 15)).toEqual([])
  })

  it('has a README of the whole and of the documentation with lines of at most 120 columns', () => {
    const readmes = ['README.md', 'packages/docs/README.md'].map((file) => readFileSync(join(root, file), 'utf8'))
    expect(readmes.flatMap(longLinesOf)).toEqual([])
  })

  it('has the folders of every package, with what each may import, in the documentation', () => {
    const page = readFileSync(join(root, 'packages/docs/architecture.md'), 'utf8')
    expect(page).toContain(folderTable())
  })

  it('has no circles, not even of types: a newcomer can read each file after those it imports', () => {
    const files = [...Object.keys(mayImport).flatMap(sourcesOf), ...sourcesIn(join(root, 'bench'))].filter(
      (file) => !file.endsWith('.test.ts'),
    )
    const imports = new Map(
      files.map((file) => {
        const name = relative(join(root, 'packages'), file).split('/')[0] ?? ''
        return [file, importsOf(file).flatMap(({ specifier }) => targetOf(name, file, specifier) ?? [])]
      }),
    )
    expect(filesInCircles(imports).map((file) => relative(root, file))).toEqual([])
  })

  it('storage separates what SQL databases share from SQLite and its driver', () => {
    const wrong = sourcesOf('storage')
      .filter((file) => file.includes('/src/sql/') && !file.endsWith('.test.ts'))
      .flatMap(importsOf)
      .filter(({ specifier }) => specifier === 'better-sqlite3')
    expect(wrong).toEqual([])
  })

  it('storage imports no runtime code of packages that load destinations or the sandbox: each of its threads would load them', () => {
    const heavy = /^import \{([^}]*)\} from '@sluice\/(?:pipeline|transformations|destinations|sandbox)'/gm
    const wrong = sourcesOf('storage').filter((file) =>
      [...readFileSync(file, 'utf8').matchAll(heavy)].some(([, names = '']) =>
        names.split(',').some((name) => name.trim() !== '' && !name.trim().startsWith('type ')),
      ),
    )
    expect(wrong.map((file) => relative(root, file))).toEqual([])
  })
})

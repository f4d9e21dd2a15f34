import { readdirSync, readFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sized } from './support/long.ts'

const root = join(import.meta.dirname, '..')

/** What runs in browsers, Deno, Bun and Workers-like platforms, as well as in Node. */
const entries = [
  '@sluice/core',
  '@sluice/core/bytes',
  '@sluice/core/hash',
  '@sluice/core/many-listeners',
  '@sluice/core/changed-part',
  '@sluice/core/next-turn',
  '@sluice/json-schema',
  '@sluice/pii',
  '@sluice/sandbox',
  '@sluice/transformations',
  '@sluice/schema',
  '@sluice/regulation',
  '@sluice/destinations',
  '@sluice/delivery/flow',
  '@sluice/pipeline/flow',
]
/** Packages that run there as a whole. */
const packages = ['core', 'json-schema', 'pii', 'sandbox', 'transformations', 'schema', 'regulation', 'destinations']

/** Threads, which only `threads.node.ts` imports. */
const isForNode = (file: string): boolean => /\.node\.ts$|\.test\.ts$|^sandbox\/src\/(?:pool|v8)\//.test(file)

interface Chunk {
  readonly type: string
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
  readonly fileName: string
  readonly modules: Readonly<Record<string, { readonly code: string | null }>>
}

interface Resolver {
  resolve(id: string, importer: string): Promise<object | null>
}

interface Rolldown {
  rolldown(options: object): Promise<{
    generate(options: object): Promise<{ readonly output: readonly Chunk[] }>
    close(): Promise<void>
  }>
}

/** Bundles all entries for a platform. @returns the modules of ours in it, and what it could not resolve or left outside. */
async function bundled(
  condition: string,
): Promise<{ readonly ours: readonly [string, string][]; readonly outside: readonly string[] }> {
  const file = createRequire(join(root, 'packages/bundler/package.json')).resolve('rolldown')
  const { rolldown } = (await import(pathToFileURL(file).href)) as Rolldown
  const outside: string[] = []
  const start = '\0start'
  const build = await rolldown({
    input: { start },
    cwd: import.meta.dirname,
    platform: 'browser',
    treeshake: false,
    resolve: { conditionNames: [condition, 'module', 'import', 'default'] },
    external: (id: string) => isBuiltin(id),
    onLog: (_: string, { code, message }: { code?: string; message: string }) => {
      if (code === 'UNRESOLVED_IMPORT') outside.push(message)
    },
    plugins: [
      {
        name: 'start',
        resolveId(this: Resolver, id: string, importer?: string) {
          if (id === start) return id
          return importer === start ? this.resolve(id, import.meta.filename) : undefined
        },
        load: (id: string) =>
          id === start ? entries.map((entry, n) => `export * as entry${n} from '${entry}'`).join('\n') : undefined,
      },
    ],
  })
  const { output } = await build.generate({ format: 'es' })
  await build.close()
  const chunks = output.filter(({ type }) => type === 'chunk')
  const names = new Set(chunks.map(({ fileName }) => fileName))
  for (const { imports, dynamicImports } of chunks)
    outside.push(...[...imports, ...dynamicImports].filter((each) => !names.has(each)))
  const ours = chunks.flatMap(({ modules }) =>
    Object.entries(modules).flatMap(([path, { code }]): [string, string][] =>
      /\/(?:node_modules|dist\/inlined)\//.test(path) || path === start ? [] : [[relative(root, path), code ?? '']],
    ),
  )
  return { ours, outside }
}

describe('what also runs without Node', () => {
  // The imports of the packages have the same files under all of these conditions.
  it.each(sized(['browser'], ['browser', 'deno', 'bun', 'workerd']))(
    'reaches no built-in of Node and none of its globals under the condition %s',
    async (condition) => {
      const { ours, outside } = await bundled(condition)
      expect(outside).toEqual([])
      expect(ours.length).toBeGreaterThan(200)
      const nodes = ours.filter(
        ([file, code]) =>
          file.endsWith('.node.js') || /(?<!['"])\b(?:Buffer\.|process\.|setImmediate\()/.test(withoutComments(code)),
      )
      expect(nodes.map(([file]) => file)).toEqual([])
    },
  )

  it.each(packages)('%s imports built-ins of Node only in files named for it', (name) => {
    const folder = join(root, 'packages', name, 'src')
    const wrong = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => {
      if (!/\.ts$/.test(file) || isForNode(`${name}/src/${file}`)) return false
      return /\bfrom 'node:|\bimport\('node:|\bBuffer\.|\bNodeJS\./.test(readFileSync(join(folder, file), 'utf8'))
    })
    expect(wrong).toEqual([])
  })

  it.each([...packages, 'pipeline'])(
    '%s gives every import with a # two versions, and Node the one named for it',
    (name) => {
      const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
      for (const [key, conditions] of Object.entries<Record<string, unknown>>(manifest.imports ?? {})) {
        if (key.startsWith('#inlined/')) continue
        const portable = String(conditions['default'])
        const node = portable.replace('.portable.js', '.node.js')
        const source = (file: string): string => file.replace('./dist/', './src/').replace(/\.js$/, '.ts')
        expect([key, conditions], `${name} ${key}`).toEqual([
          key,
          {
            source: { browser: source(portable), default: source(node) },
            bun: portable,
            deno: portable,
            workerd: portable,
            browser: portable,
            node,
            default: portable,
          },
        ])
      }
    },
  )
})

/** Without comments that have lines of their own: a sentence may end with "the process". */
function withoutComments(code: string): string {
  return code.replace(/^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*)$/gm, '')
}

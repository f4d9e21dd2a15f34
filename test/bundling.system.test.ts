import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const sluice = join(root, 'packages/sluice')

/** What is used of Rolldown, which the package of the command depends on. */
interface Rolldown {
  rolldown(options: {
    readonly input: string
    readonly platform: 'node'
    readonly external: readonly string[]
    readonly plugins: readonly { readonly name: string; resolveId(source: string, importer?: string): null }[]
    onLog(level: string, log: { readonly code?: string; readonly message: string }): void
  }): Promise<{
    generate(options: object): Promise<{ readonly output: readonly { readonly code?: string }[] }>
    close(): Promise<void>
  }>
}

describe('a bundler that takes Sluice into its bundle', () => {
  it('finds every import without the optional peers, and nothing that changes `require`', {
    timeout: 60_000,
  }, async () => {
    const found = createRequire(join(root, 'packages/bundler/package.json')).resolve('rolldown')
    const { rolldown } = (await import(pathToFileURL(found).href)) as Rolldown
    const problems: string[] = []
    const importers: string[] = []
    const build = await rolldown({
      input: join(sluice, 'dist/index.js'),
      platform: 'node',
      // The native driver.
      external: ['better-sqlite3'],
      plugins: [
        {
          name: 'importers of optional peers',
          resolveId: (source, importer) => {
            if (source === '@opentelemetry/api') importers.push(String(importer))
            return null
          },
        },
      ],
      onLog: (_, { code, message }) => {
        if (code === 'UNRESOLVED_IMPORT') problems.push(message)
      },
    })
    const { output } = await build.generate({ format: 'esm' })
    await build.close()
    const text = output.map(({ code = '' }) => code).join('\n')
    expect(problems).toEqual([])
    // It is installed here; where it is not, an import of it would end the build. Clients of brokers catch that.
    expect(importers.filter((file) => !file.includes('/node_modules/'))).toEqual([])
    // Next refuses it.
    expect(text.includes('require.extensions')).toBe(false)
  })
})

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

/** Each prints why it cannot start. */
const programs = {
  code: `import { createSandbox } from ${JSON.stringify(join(import.meta.dirname, '../packages/sandbox/dist/index.js'))}
try { await createSandbox({ mode: 'worker' }) } catch (error) { console.log(error.message) }`,
  store: `import { openSqliteStore } from ${JSON.stringify(join(import.meta.dirname, '../packages/storage/dist/index.js'))}
import { systemClock, systemRandom } from ${JSON.stringify(join(import.meta.dirname, '../packages/core/dist/index.js'))}
try { await openSqliteStore({ path: 'store.sqlite', clock: systemClock, random: systemRandom }) } catch (error) { console.log(error.message) }`,
}

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

  it('learns at the start that the files of threads are missing, and what to do', { timeout: 60_000 }, async () => {
    const found = createRequire(join(root, 'packages/bundler/package.json')).resolve('rolldown')
    const { rolldown } = (await import(pathToFileURL(found).href)) as Rolldown
    const folder = mkdtempSync(join(tmpdir(), 'sluice-bundled-'))
    try {
      for (const [name, program] of Object.entries(programs)) {
        const input = join(folder, `${name}.js`)
        writeFileSync(input, program)
        const external = ['better-sqlite3', '@opentelemetry/api']
        const build = await rolldown({ input, platform: 'node', external, plugins: [], onLog: () => {} })
        const { output } = await build.generate({ format: 'esm', codeSplitting: false })
        await build.close()
        const bundle = join(folder, `${name}.mjs`)
        writeFileSync(bundle, output.map(({ code = '' }) => code).join('\n'))
        const { stdout } = await promisify(execFile)(process.execPath, [bundle], { cwd: folder, timeout: 30_000 })
        expect([name, stdout]).toEqual([name, expect.stringContaining('A bundler has left it out; keep the packages')])
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

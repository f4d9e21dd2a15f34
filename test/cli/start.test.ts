import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadedModules } from '../support/processes/loaded-modules.ts'

const root = resolve(import.meta.dirname, '../..')
const sluice = join(root, 'packages/sluice')

/** Returns the packages of modules, ours and others, each once. */
function packagesOf(modules: readonly string[]): readonly string[] {
  const names = modules.map(
    (url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? /\/packages\/([^/]+)\//.exec(url)?.[1],
  )
  return [...new Set(names.filter((name) => name !== undefined))].sort()
}

describe('the start of the command', () => {
  // A module takes 0.3 ms and more, most of it not for its code.
  it('loads at most 134 modules for --version when it runs from the build', async () => {
    const modules = await loadedModules([join(sluice, 'dist/cli/main.js'), '--version'], root)
    expect(modules.length).toBeGreaterThan(1)
    expect(modules.length).toBeLessThanOrEqual(134)
    expect(packagesOf(modules)).toEqual(['commander', 'core', 'picocolors', 'schema', 'sluice'])
  })

  it('loads at most 12 files for --version when it runs from the bundle, and none of a dependency', async () => {
    execFileSync(process.execPath, [join(sluice, 'build-bundle.mjs')])
    const modules = await loadedModules([join(sluice, 'bin/sluice.js'), '--version'], root)
    expect(modules.length).toBeLessThanOrEqual(12)
    expect(packagesOf(modules)).toEqual(['sluice'])
    expect(modules.some((url) => url.endsWith('/dist/bundle/main.js'))).toBe(true)
  })
})

describe("import 'sluice'", () => {
  it('loads neither destinations nor stores nor the sandbox before a pipeline is created', async () => {
    const modules = await loadedModules(['--input-type=module', '-e', "await import('sluice')"], join(root, 'test'))
    // Of `http`, the headers of every answer, and of `destinations`, the names of gates: small files.
    const loaded = ['@hono/node-server', 'configuration', 'core', 'destinations', 'hono', 'http', 'sluice']
    expect(packagesOf(modules)).toEqual(loaded)
    const ofDestinations = modules.filter((url) => url.includes('/packages/destinations/'))
    expect(ofDestinations.map((url) => /[^/]+$/.exec(url)?.[0]).sort()).toEqual([
      'exports-of-gates.js',
      'gate-names.js',
      'source-platform.js',
    ])
    expect(modules.length).toBeLessThanOrEqual(67)
  })

  it('loads neither the query builder nor the driver of SQLite for a pipeline with the memory store', async () => {
    const program = `
      const { createSluice } = await import('sluice')
      const sources = [{ id: 's', writeKey: 'k' }]
      const sluice = await createSluice({ workspace: { id: 'w', sources, destinations: [], connections: [] } })
      await sluice.stop()`
    const modules = await loadedModules(['--input-type=module', '-e', program], join(root, 'test'))
    const loaded = packagesOf(modules)
    expect(loaded).toContain('storage')
    expect(loaded).not.toContain('kysely')
    expect(loaded).not.toContain('better-sqlite3')
  })
})

describe("import '@sluice/testing'", () => {
  it('loads no destination before a test names one', async () => {
    const modules = await loadedModules(
      ['--input-type=module', '-e', "await import('@sluice/testing')"],
      join(root, 'test'),
    )
    expect(modules.some((url) => url.includes('/destinations/dist/kit/'))).toBe(true)
    expect(modules.filter((url) => url.includes('/destinations/dist/products/'))).toEqual([])
  })
})

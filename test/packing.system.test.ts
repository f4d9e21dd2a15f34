import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const packages = resolve(import.meta.dirname, '../packages')

/** Packages that name others by `workspace:*`. */
const linked = readdirSync(packages).filter((name) => {
  const { version, dependencies = {} } = JSON.parse(
    name === 'docs' ? '{}' : readFileSync(join(packages, name, 'package.json'), 'utf8'),
  ) as { version?: string; dependencies?: Record<string, string> }
  return version !== undefined && Object.values(dependencies).some((each) => each.startsWith('workspace:'))
})

describe('packing with npm, which leaves workspace:* in place', () => {
  it('is prevented in every package whose tarball could not be installed', () => {
    expect(linked.length).toBeGreaterThan(10)
    const without = linked.filter((name) => {
      const manifest = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as {
        scripts?: { prepack?: string }
      }
      return !/^node \S*bundler\/before-packing\.mjs/.test(manifest.scripts?.prepack ?? '')
    })
    expect(without).toEqual([])
  })

  it('fails with the command that packs rightly', { timeout: 60_000 }, () => {
    const cwd = join(packages, 'pipeline')
    const { status, stderr } = spawnSync('npm', ['pack', '--dry-run'], { cwd, encoding: 'utf8', timeout: 50_000 })
    expect(status).not.toBe(0)
    expect(stderr).toContain('@sluice/pipeline cannot be packed by npm/')
    expect(stderr).toContain('npx pnpm@10 pack')
  })
})

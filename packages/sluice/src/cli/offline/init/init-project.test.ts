import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { initProject } from './init-project.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-init-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.restoreAllMocks())

it('reports in one line that a folder cannot be created where a file is', async () => {
  writeFileSync(join(folder, 'file'), 'mine')
  for (const place of ['file', 'file/below'])
    await expect(initProject(join(folder, place), {})).rejects.toMatchObject({
      name: 'CliError',
      message: expect.stringMatching(
        /the project cannot be written there \((?:EEXIST|ENOTDIR)\); choose another folder$/,
      ),
    })
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('mine')
  expect(readdirSync(folder)).toEqual(['file'])
})

it('links the packages of a checkout, which can be installed before any version is published', async () => {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  for (const [place, flags] of [
    ['project', {}],
    ['destination', { destination: 'my-shop' }],
  ] as const) {
    await initProject(join(folder, place), flags)
    const { devDependencies } = JSON.parse(readFileSync(join(folder, place, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>
    }
    const ours = Object.entries(devDependencies).filter(([name]) => /^(?:@sluice\/|sluice$)/.test(name))
    expect(ours.length).toBeGreaterThan(1)
    for (const [name, wanted] of ours) {
      expect(wanted).toMatch(/^file:/)
      const manifest = join(wanted.replace(/^file:/, ''), 'package.json')
      expect(JSON.parse(readFileSync(manifest, 'utf8'))).toMatchObject({ name })
    }
  }
  expect(printed.mock.calls.join('\n')).toContain('package.json links the packages of this checkout')
})

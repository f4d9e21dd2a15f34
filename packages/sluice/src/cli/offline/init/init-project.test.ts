import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { initProject } from './init-project.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-init-'))
afterAll(() => rmSync(folder, { recursive: true }))

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

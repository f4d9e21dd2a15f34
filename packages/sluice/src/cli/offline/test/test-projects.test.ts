import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestFlags, testProjects } from './test-projects.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-mistakes-'))
  for (const name of ['empty/.git', 'project/.git', 'project/transformations', 'project/docs'])
    mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'project/transformations/mask.js'), 'export const transformEvent = (event) => event')
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('sluice test', () => {
  const mistakes: readonly (readonly [string, string, Partial<TestFlags>, RegExp])[] = [
    ['a folder without a project', 'empty', {}, /found nothing to test.*\n(?: {2}.*\n)+.*--help/],
    ['a missing path', 'nowhere', {}, /nowhere: not there$/],
    [
      'a folder of a project without cases',
      'project/docs',
      {},
      /docs: the project .* has no case there; its transformations are mask$/,
    ],
    ['a filter that nothing matches', 'project', { filter: 'refund' }, /^--filter refund: no “transformation \/ case”/],
    [
      'an unknown destination',
      'project',
      { destination: 'nope' },
      /^--destination nope: unknown type; allowed: one of .*WEBHOOK/,
    ],
    ['settings that do not fit', 'project', { destination: 'webhook' }, /webhookUrl/],
    ['an invalid limit', 'project', { stack: 1 }, /stackBytes/],
    ['an update while watching', 'project', { watch: true, update: true }, /leave one of them out$/],
    ['a report while watching', 'project', { watch: true, json: true }, /^--watch prints text only/],
    ['a file for text', 'project', { out: 'report' }, /^--out report: needs --reporter json or junit$/],
  ]
  for (const [name, path, flags, message] of mistakes) {
    it(`refuses ${name}, with what to do and status 2`, async () => {
      const given: TestFlags = { reporter: 'text', destinationPackage: [], ...flags }
      await expect(testProjects([join(folder, path)], given)).rejects.toMatchObject({
        name: 'CliError',
        exitStatus: 2,
        message: expect.stringMatching(message),
      })
    })
  }
})

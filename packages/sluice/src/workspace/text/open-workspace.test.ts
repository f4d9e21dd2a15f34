import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openText } from './open-workspace.ts'
import { readWorkspaceFile } from './read-workspace-file.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-workspace-'))
  writeFileSync(join(folder, 'mask.js'), 'export function transformEvent(event) { return event }')
})
afterAll(() => rmSync(folder, { recursive: true }))

const rudder = {
  workspaceId: 'ws',
  sources: [
    {
      id: 's1',
      name: 'Site',
      writeKey: 'k1',
      enabled: true,
      sourceDefinition: { name: 'Javascript' },
      destinations: [
        {
          id: 'd1',
          name: 'Hook',
          enabled: true,
          config: { webhookUrl: 'http://x.test' },
          destinationDefinition: { name: 'WEBHOOK', displayName: 'Webhook' },
          transformations: [],
        },
      ],
    },
    {
      id: 's2',
      name: 'App',
      writeKey: 'k2',
      enabled: false,
      destinations: [{ id: 'd1', name: 'Hook', config: {}, destinationDefinition: { name: 'WEBHOOK' } }],
    },
  ],
}

describe('reading a workspace file', () => {
  it('accepts YAML and JSON, one workspace or several', async () => {
    const one = { id: 'w', sources: [], destinations: [], connections: [] }
    expect((await openText(JSON.stringify(one), folder)).workspace).toEqual({ workspaces: [one] })
    expect((await openText(JSON.stringify({ workspaces: [one, one] }), folder)).workspace).toEqual({
      workspaces: [one, one],
    })
    expect((await openText('id: w\nsources: []\ndestinations: []\nconnections: []\n', folder)).workspace).toEqual({
      workspaces: [one],
    })
  })

  it('reads code from files beside it', async () => {
    const text = 'destinations: [{id: d, transformation: {name: mask, file: mask.js}, settings: {file: kept.txt}}]'
    expect((await openText(text, folder)).workspace).toEqual({
      workspaces: [
        {
          destinations: [
            {
              id: 'd',
              transformation: { name: 'mask', code: expect.stringContaining('transformEvent') },
              settings: { file: 'kept.txt' },
            },
          ],
        },
      ],
    })
  })

  it('accepts the workspaceConfig.json of RudderStack', async () => {
    writeFileSync(join(folder, 'workspaceConfig.json'), JSON.stringify(rudder))
    expect((await readWorkspaceFile(join(folder, 'workspaceConfig.json'))).workspace).toEqual({
      workspaces: [
        {
          id: 'ws',
          lenient: true,
          sources: [
            { id: 's1', name: 'Site', type: 'Javascript', writeKey: 'k1', enabled: true },
            { id: 's2', name: 'App', writeKey: 'k2', enabled: false },
          ],
          destinations: [
            { id: 'd1', name: 'Hook', enabled: true, type: 'WEBHOOK', settings: { webhookUrl: 'http://x.test' } },
          ],
          connections: [
            { source: 's1', destination: 'd1' },
            { source: 's2', destination: 'd1' },
          ],
        },
      ],
    })
  })

  it('refuses a RudderStack file with transformations, whose code it does not contain', async () => {
    const [first] = rudder.sources
    const withCode = {
      sources: [{ ...first, destinations: [{ ...first?.destinations[0], transformations: [{ versionId: 'v' }] }] }],
    }
    await expect(openText(JSON.stringify(withCode), folder)).rejects.toThrow(
      'sources[0].destinations[0].transformations',
    )
  })

  const mistakes: readonly (readonly [string, string, RegExp])[] = [
    ['text that is neither', '{"a": [}', /JSON or YAML/],
    ['something that is no object', 'hello', /got "hello"/],
    [
      'a code file that is not there',
      'libraries: [{name: l, file: gone.js}]',
      /libraries\[0\]\.file: got "gone\.js".*ENOENT/,
    ],
  ]
  for (const [name, text, expected] of mistakes) {
    it(`refuses ${name}`, () => expect(openText(text, folder)).rejects.toThrow(expected))
  }
  it('refuses a missing file', () => expect(readWorkspaceFile(join(folder, 'gone.yaml'))).rejects.toThrow(/ENOENT/))
})

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningCommand, startCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { noSegmentPeer, segmentPeer } from '../support/scenes/segment-peer.ts'
import { codeBlocks } from '../support/texts/code-blocks.ts'

const root = resolve(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'packages/docs/guides/segment-destinations.md'), 'utf8')
const [workspace = ''] = codeBlocks(guide, 'yaml')
const token = 'token-of-the-shop'

describe.skipIf(segmentPeer === undefined)(
  `the guide to Segment's destinations${noSegmentPeer && ` (skipped: ${noSegmentPeer})`}`,
  () => {
    let folder: string
    let served: RunningCommand | undefined
    let url: string
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sluice-segment-guide-'))
      mkdirSync(join(folder, 'node_modules/@sluice'), { recursive: true })
      symlinkSync(join(root, 'packages/segment-actions'), join(folder, 'node_modules/@sluice/segment-actions'))
      symlinkSync(join(segmentPeer ?? '', 'node_modules/@segment'), join(folder, 'node_modules/@segment'))
      writeFileSync(join(folder, 'workspace.yaml'), workspace)
      const env = { SHOP_TOKEN: token }
      served = startCommand(['serve', '--workspace', 'workspace.yaml', '--port', '0'], { cwd: folder, env })
      url = (await served.printed(/Serving on (\S+)/))[1] ?? ''
    })
    afterAll(async () => {
      served?.child.kill('SIGKILL')
      await served?.ended
      rmSync(folder, { recursive: true })
    })

    it('shows a workspace whose destinations the server knows', async () => {
      const response = await fetch(`${url}/v2/destinations`, { headers: { authorization: `Bearer ${token}` } })
      expect(await response.json()).toMatchObject({
        destinations: [{ type: 'segment/amplitude' }, { type: 'segment/webhook' }, { type: 'segment/hubspot' }],
      })
    })

    it('shows what the Test API answers without sending', async () => {
      const [body = ''] = /(?<= -d ')[^']+/.exec(guide) ?? []
      const [shown = ''] = codeBlocks(guide, 'json').slice(-1)
      const response = await fetch(`${url}/v0/testDestination/orders`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
      })
      expect(await response.json()).toMatchObject({ data: [{ actions: [JSON.parse(shown)] }] })
    })

    it('shows commands that work', async () => {
      const commands = guide.match(/^sluice destination-types (?:list|show) .*$/gm) ?? []
      expect(commands).toHaveLength(2)
      for (const command of commands) {
        const { status, stdout } = await runHosted(command.split(' ').slice(1), { cwd: folder })
        expect([command, status, stdout]).toEqual([command, 0, expect.stringContaining('segment/hubspot')])
      }
    })

    interface ListedType {
      readonly type: string
      readonly presets?: number
      readonly batches: boolean
      readonly deletesUsers: boolean
      readonly checksCredentials: boolean
      readonly hasOwnNetwork: boolean
    }
    let listed: Promise<readonly ListedType[]> | undefined
    function listTypes(): Promise<readonly ListedType[]> {
      const args = ['destination-types', 'list', '--json', '--workspace', 'workspace.yaml']
      listed ??= runHosted(args, { cwd: folder }).then(({ stdout }) => JSON.parse(stdout))
      return listed
    }

    it('names every definition with connections of its own, and no other', async () => {
      const own = (await listTypes())
        .filter(({ type, hasOwnNetwork }) => hasOwnNetwork && type.startsWith('segment/'))
        .map(({ type }) => type.replace('segment/', ''))
      const [, section = ''] = guide.split('### Own network')
      const [sentence = ''] = section.split('. No check')
      expect([...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(own)
    })

    it('names both types of each product that has two', async () => {
      const types = new Set((await listTypes()).map(({ type }) => type))
      const [, section = ''] = guide.split('## Native or Segment')
      const named = [...section.matchAll(/`((?:segment\/)?[A-Za-z0-9/-]+)`/g)].map(([, name = '']) => name)
      expect(named.length).toBeGreaterThan(40)
      expect(named.filter((name) => !types.has(name))).toEqual([])
    })

    it('says of both what they have', async () => {
      const types = new Map((await listTypes()).map((each) => [each.type, each]))
      const rows = guide.matchAll(/^\| [^|]+ \| `(\w+)`[^|]*\| `(segment\/[\w-]+)`[^|]*\|([^|]*)\|([^|]*)\|$/gm)
      const said = [...rows].flatMap(([, native = '', ofSegment = '', has = '', segmentHas = '']) => [
        [native, /batches/.test(has), /deletion/.test(has)],
        [
          ofSegment,
          /batches/.test(segmentHas),
          /deletion/.test(segmentHas),
          /check/.test(segmentHas),
          presetsIn(segmentHas),
        ],
      ])
      expect(said.length).toBeGreaterThan(60)
      const facts = said.map(([type]) => {
        const { batches, deletesUsers, checksCredentials, presets } = types.get(String(type)) ?? {}
        const ofBoth = [type, batches, deletesUsers]
        return String(type).startsWith('segment/') ? [...ofBoth, checksCredentials, presets] : ofBoth
      })
      expect(said).toEqual(facts)
    })
  },
)

const numbers = 'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split(' ')

/** Returns how many presets a cell of the table says a type has. */
function presetsIn(cell: string): number {
  const [, word = 'no'] = /(\w+) presets?/.exec(cell) ?? []
  return numbers.indexOf(word)
}

import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gateNames } from '@sluice/destinations/kit'
import { segmentActions } from '@sluice/segment-actions'
import { afterEach, describe, expect, it } from 'vitest'
import { plainDefinition, writeSmallPeer } from '../support/faults/small-peer.ts'

const cleanups: (() => unknown)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
})

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-family-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  return folder
}

function familyOf(definitions: Readonly<Record<string, string>>) {
  const peer = writeSmallPeer(definitions)
  cleanups.push(() => peer.remove())
  return segmentActions(peer.folder)
}

const broken = "throw new RangeError('no licence for this\\nsecond line')"

describe("the family of Segment's destinations", () => {
  it('names the package and the command that installs it, when it is missing', () => {
    const folder = emptyFolder()
    expect(() => segmentActions(folder)).toThrow(
      `@segment/action-destinations is not installed in ${folder}: run npm install @segment/action-destinations there`,
    )
  })

  it('has a type for each definition, and says where they come from', () => {
    const family = familyOf({ plain: plainDefinition, amp: plainDefinition })
    expect(family).toMatchObject({
      prefix: 'segment/',
      origin: '@segment/action-destinations 0.0.1',
      types: ['segment/amp', 'segment/plain'],
    })
  })

  it('gives each type the consent and event lists of every type, in one object for all', async () => {
    const family = familyOf({ plain: plainDefinition, amp: plainDefinition })
    const loaded = family.types.map((type) => family.load(type))
    const settings = loaded.map((each) => (each.ok ? each.definition.settings.properties : {}))
    const described = (await family.describe()).map((each) => Object(each.settings['properties']))
    for (const name of gateNames)
      for (const [one, other] of [settings, described]) {
        expect(one?.[name]).toMatchObject({ description: expect.any(String) })
        expect(one?.[name]).toBe(other?.[name])
      }
  })

  it('loads a definition also when another throws while it is loaded, which says so in one line', () => {
    const family = familyOf({ plain: plainDefinition, broken })
    expect(family.load('segment/broken')).toEqual({
      ok: false,
      problem: 'a type that loads; segment/broken of @segment/action-destinations 0.0.1 does not: no licence for this',
    })
    expect(family.load('segment/plain')).toMatchObject({ ok: true, definition: { type: 'segment/plain' } })
  })

  it('reports what a definition throws that is no error, and a module that is no definition', () => {
    const family = familyOf({ text: "throw 'a text'", empty: '' })
    expect(family.load('segment/text')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('does not: a text'),
    })
    expect(family.load('segment/empty')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('exports no definition with actions'),
    })
  })

  it('runs no code of definitions before one is loaded', () => {
    const folder = emptyFolder()
    const file = join(folder, 'ran')
    const family = familyOf({ plain: `require('fs').writeFileSync(${JSON.stringify(file)}, 'x')\n${plainDefinition}` })
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
    family.load('segment/plain')
    expect(statSync(file).size).toBe(1)
  })
})

describe('descriptions of all types', () => {
  it('leave out definitions that cannot be loaded', async () => {
    const descriptions = await familyOf({ plain: plainDefinition, broken }).describe()
    expect(descriptions).toMatchObject([
      {
        type: 'segment/plain',
        displayName: 'Plain',
        secretKeys: ['key'],
        deletesUsers: true,
        actions: [{ name: 'send', title: 'Send', defaultSubscription: 'type = "track"', batches: false }],
        presets: [{ name: 'Track', action: 'send', isAutomatic: true }],
      },
    ])
  })

  it('are made in a thread that ends, also when a definition has started a timer', async () => {
    const file = join(emptyFolder(), 'ticks')
    const ticking = `setInterval(() => require('fs').appendFileSync(${JSON.stringify(file)}, 'x'), 2)`
    const family = familyOf({ plain: `${ticking}\n${plainDefinition}` })
    expect(await family.describe()).toHaveLength(1)
    await wait(30)
    const ticks = statSync(file, { throwIfNoEntry: false })?.size
    await wait(30)
    expect(statSync(file, { throwIfNoEntry: false })?.size).toBe(ticks)
  })

  it('fail with a reason when the package is broken', async () => {
    const family = familyOf({ plain: 'process.exit(3)' })
    await expect(family.describe()).rejects.toThrow(/The definitions in .+ could not be described/)
    const other = writeSmallPeer({ plain: plainDefinition })
    const removed = segmentActions(other.folder)
    other.remove()
    await expect(removed.describe()).rejects.toThrow('no such file')
    mkdirSync(join(other.folder, 'node_modules/@segment/action-destinations'), { recursive: true })
    cleanups.push(() => other.remove())
    writeFileSync(join(other.folder, 'node_modules/@segment/action-destinations/package.json'), '{}')
    await expect(removed.describe()).rejects.toThrow('has no dist/destinations; install a release')
  })
})

import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { runEvents } from '../run-events.ts'
import { initDestination } from './init-destination.ts'
import { initProject } from './init-project.ts'

/** Below this package, where `@sluice/destinations` resolves as it does after an installation. */
const folder = join(import.meta.dirname, '../../../../dist/init-destination')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.restoreAllMocks())

function captured(): string[] {
  const lines: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0)
  return lines
}

describe('init --destination', () => {
  it('writes a destination whose test passes, and which runs offline', async () => {
    const lines = captured()
    const place = join(folder, 'new')
    await initProject(place, { destination: 'my-shop-2' })
    expect(lines.join('')).toContain('npm install && npm test')
    expect(readdirSync(place).sort()).toEqual([
      'events.ndjson',
      'my-shop-2-examples.js',
      'my-shop-2.js',
      'my-shop-2.test.js',
      'package.json',
    ])
    expect(JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))).toMatchObject({
      type: 'module',
      scripts: { test: 'node --test' },
      devDependencies: { '@sluice/destinations': expect.any(String), typebox: expect.any(String) },
    })
    expect((await import(join(place, 'my-shop-2.js'))).myShop2Destination.displayName).toBe('My shop 2')
    const env = { PATH: process.env['PATH'] }
    const { stdout } = await promisify(execFile)(process.execPath, ['--test'], { cwd: place, env })
    expect(stdout).toMatch(/pass 2\b/)

    lines.length = 0
    await runEvents({
      events: join(place, 'events.ndjson'),
      destination: 'MY_SHOP_2',
      destinationPackage: [join(place, 'my-shop-2.js')],
      settings: '{"url":"https://shop.test","token":"hidden-1"}',
      library: [],
    } as unknown as Parameters<typeof runEvents>[0])
    expect(JSON.parse(lines.join(''))).toMatchObject({
      outcome: 'passed',
      requests: [{ endpoint: 'https://shop.test/events', body: { JSON: { user: 'u1', name: 'Order Placed' } } }],
    })
    expect(lines.join('')).not.toContain('hidden-1')
  }, 20_000)

  it('overwrites files only by force', async () => {
    captured()
    const place = join(folder, 'taken')
    mkdirSync(place)
    writeFileSync(join(place, 'chat.js'), 'mine')
    await expect(initDestination('chat', place, false)).rejects.toThrow(/^chat\.js exists already; /)
    expect(readdirSync(place)).toEqual(['chat.js'])
    await initDestination('chat', place, true)
    expect(readFileSync(join(place, 'chat.js'), 'utf8')).toContain("type: 'CHAT'")
  })

  for (const name of ['', 'My', '2x', 'a_b', 'a--b', '../a', 'a-', 'x'.repeat(51)])
    it(`refuses the name ${JSON.stringify(name)}`, async () => {
      const refused = initDestination(name, folder, false)
      await expect(refused).rejects.toThrow(`--destination ${JSON.stringify(name)}: allowed: lower-case letters`)
    })

  it('refuses the name of a built-in destination', async () => {
    await expect(initDestination('heap', folder, false)).rejects.toThrow('HEAP is a built-in destination')
  })
})

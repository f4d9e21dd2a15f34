import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPeer } from './open-peer.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-open-peer-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const definition = (name: string, text: string): void => write(`dist/destinations/${name}/index.js`, text)
const open = () => openPeer({ folder, version: '1.2.3' })

describe('a package of definitions', () => {
  it('has the folders with a main file as names, in alphabetical order', () => {
    for (const name of ['zoo', 'amp']) definition(name, '')
    write('dist/destinations/shared/helper.js', '')
    write('dist/destinations/index.js', '')
    expect(open()).toMatchObject({ version: '1.2.3', names: ['amp', 'zoo'] })
  })

  it('loads a definition that is the default export, or the module itself', () => {
    definition('amp', "exports.default = { name: 'Amp', actions: {} }")
    definition('zoo', "module.exports = { name: 'Zoo', actions: {} }")
    expect(open().load('amp').name).toBe('Amp')
    expect(open().load('zoo').name).toBe('Zoo')
  })

  it('does not load the others', () => {
    definition('amp', "exports.default = { name: 'Amp', actions: {} }")
    definition('broken', "throw new Error('must not run')")
    expect(open().load('amp').name).toBe('Amp')
  })

  it('names the file that exports no definition', () => {
    for (const text of ['', 'exports.default = 5', 'exports.default = { name: "A" }', 'module.exports = null']) {
      definition('amp', text)
      delete process.getBuiltinModule('node:module').createRequire(import.meta.url).cache[open().fileOf('amp')]
      expect(() => open().load('amp')).toThrow(`${open().fileOf('amp')} exports no definition with actions.`)
    }
  })

  it('throws what a definition throws while it is loaded', () => {
    definition('amp', "throw new RangeError('no licence')")
    expect(() => open().load('amp')).toThrow('no licence')
  })

  it('is read where it really lies, because its dependencies lie beside it there', () => {
    definition('amp', "exports.default = { name: require('beside').name, actions: {} }")
    mkdirSync(join(folder, 'linked'))
    write('node_modules/beside/index.js', "exports.name = 'Beside'")
    const link = join(folder, 'linked/peer')
    symlinkSync(folder, link)
    const peer = openPeer({ folder: link, version: '1' })
    expect(peer.load('amp').name).toBe('Beside')
    expect(peer.fileOf('amp').startsWith(join(folder, 'dist'))).toBe(true)
  })

  it('is refused when it has no folder of definitions, with what to install', () => {
    expect(open).toThrow(`${folder} has no dist/destinations; install a release of @segment/action-destinations`)
  })
})

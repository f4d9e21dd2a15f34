import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findPeer, peerName } from './find-peer.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sluice-find-peer-'))
})
afterEach(() => rmSync(home, { recursive: true }))

/** Installs a copy below a folder. */
function install(folder: string, manifest: object): string {
  const at = join(folder, 'node_modules', peerName)
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'package.json'), JSON.stringify(manifest))
  return at
}

describe('the installed definitions', () => {
  it('are those of the first folder that has some', () => {
    const [first, second, third] = ['a', 'b', 'c'].map((name) => join(home, name)) as [string, string, string]
    install(third, { version: '3.0.0' })
    const folder = install(second, { version: '2.0.0' })
    expect(findPeer([first, second, third])).toEqual({ folder, version: '2.0.0' })
  })

  it('are found in a folder above, as packages are', () => {
    const folder = install(home, { version: '1.0.0' })
    expect(findPeer([join(home, 'a/b/c')])).toEqual({ folder, version: '1.0.0' })
  })

  it('are the nearest ones', () => {
    install(home, { version: '1.0.0' })
    const folder = install(join(home, 'a'), { version: '2.0.0' })
    expect(findPeer([join(home, 'a/b')])).toEqual({ folder, version: '2.0.0' })
  })

  it('have an unknown version when their manifest names none', () => {
    install(home, {})
    expect(findPeer([home])?.version).toBe('unknown')
  })

  it('are absent where none are installed', () => {
    mkdirSync(join(home, 'node_modules', peerName), { recursive: true })
    expect(findPeer([home])).toBeUndefined()
    expect(findPeer([])).toBeUndefined()
  })
})

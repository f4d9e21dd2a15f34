import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundleIsUsable } from './bundle-is-usable.ts'

let root: string
let build: string
const folder = (): URL => pathToFileURL(`${join(root, 'bundle')}/`)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-bundle-'))
  build = join(root, '.tsbuildinfo')
  mkdirSync(join(root, 'bundle'))
  writeFileSync(build, '')
  writeFileSync(join(root, 'bundle/main.js'), '')
  const builtAt = { '../.tsbuildinfo': statSync(build).mtimeMs }
  writeFileSync(join(root, 'bundle/made-from.json'), JSON.stringify(builtAt))
})
afterEach(() => rmSync(root, { recursive: true }))

describe('a bundle', () => {
  it('is used while the packages were built when it says', () => expect(bundleIsUsable(folder())).toBe(true))

  it('is used when it has no list, as in a published package', () => {
    rmSync(join(root, 'bundle/made-from.json'))
    rmSync(build)
    expect(bundleIsUsable(folder())).toBe(true)
  })

  it('is not used after a package was built again', () => {
    utimesSync(build, 1, 1)
    expect(bundleIsUsable(folder())).toBe(false)
  })

  it('is not used when a build is missing', () => {
    rmSync(build)
    expect(bundleIsUsable(folder())).toBe(false)
  })

  it('is not used when it is missing itself', () => {
    rmSync(join(root, 'bundle/main.js'))
    expect(bundleIsUsable(folder())).toBe(false)
  })
})
